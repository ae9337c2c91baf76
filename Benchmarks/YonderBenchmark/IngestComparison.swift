/// To be measured.
struct IngestComparison {
    let seconds: Double
    let rounds: Int

    func run() async throws {}
}
