/// Ends shares at their time: within a second, whatever else happens.
struct ExpiryTimer: Sendable {
    /// How often the clock is looked at. Looking costs nothing while no share is due.
    static let interval = Duration.milliseconds(100)

    let lives: LiveLocationService
    let log: Log

    /// Runs until its task is cancelled. A store that fails is tried again, a second later.
    func run() async {
        while !Task.isCancelled {
            var pause = Self.interval
            do {
                try await lives.endDueShares()
            } catch {
                log.error("shares could not be ended, trying again", error)
                pause = .seconds(1)
            }
            try? await Task.sleep(for: pause)
        }
    }
}
