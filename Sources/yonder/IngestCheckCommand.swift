import Foundation
import YonderModel
import YonderSecretBox
import YonderServer

/// `yonder ingest-check`: what the server would make of a phone app's request.
struct IngestCheckCommand: Command {
    static let declaration = CommandDeclaration(
        name: "ingest-check", summary: "Say what a captured request of a phone app would do.",
        word: ("FILE", "The request as it was sent, or its body alone; - is standard input."),
        options: [
            .init(
                "--app", "APP",
                "\(IngestApp.allCases.map(\.rawValue).joined(separator: ", ")): by the address; for a body alone."
            ),
            .init(
                "--passphrase", "TEXT", "What an encrypted message of OwnTracks is opened with.",
                environment: "YONDER_PASSPHRASE"),
        ],
        notes: ["Asks no server. Status 0: no record in it is wrong; 1: one would be dropped as wrong."])

    private let app: IngestApp
    private let request: CapturedRequest
    private let box: SecretBox?

    init(_ arguments: Arguments) throws(CommandFailure) {
        guard let path = arguments.word else {
            throw CommandFailure(status: 2, message: "expected a FILE, or - for standard input")
        }
        let data =
            path == "-"
            ? try? FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: path)
        guard let data else { throw CommandFailure(status: 2, message: "\(path) cannot be read") }
        request = CapturedRequest(Array(data))
        let known = IngestApp.allCases.map(\.rawValue).joined(separator: ", ")
        let named = try arguments.value("--app", expected: known, IngestApp.init(rawValue:))
        guard let app = named ?? request.app else {
            throw CommandFailure(
                status: 2, message: "\(path) does not say of which app it is: say --app APP, one of \(known)")
        }
        if let said = request.app, request.method != nil, said != app {
            throw .wrong("--app", expected: "\(said.rawValue), which the request's address says, or nothing")
        }
        self.app = app
        box = try arguments.value("--passphrase", expected: "at most 32 bytes", SecretBox.init(passphrase:))
    }

    func run() async throws(CommandFailure) -> Int32 {
        let read = app.read(query: request.query, body: request.body, open: { box?.open($0) })
        let method = request.method.map { "\($0) " } ?? ""
        let count = read.records.count
        Output.line("\(method)request of \(app.title), \(count) \(count == 1 ? "record" : "records")")
        if request.method != nil, !request.hasKey(as: app) {
            Output.line("it carries no ingest key: the server answers 401, and the app sends it again")
        }
        for (number, record) in read.records.enumerated() {
            Output.line("  \(number + 1)  \(Self.words(record))")
        }
        return read.records.contains { $0.refusal?.isWrong == true } ? 1 : 0
    }

    private static func words(_ record: IngestRecord) -> String {
        switch record {
        case .refused(let reason): "dropped, \(reason.rawValue): \(reason.words)"
        case .fix(let report): words(report)
        }
    }

    private static func words(_ report: FixReport) -> String {
        let position = report.position
        func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        let parts: [String?] = [
            "\(position.coordinate.latitude), \(position.coordinate.longitude)",
            report.recordedAt.map { "at \($0.rfc3339)" } ?? "without a time: when it arrives",
            position.accuracy.map { "within \(rounded($0)) m" } ?? "accuracy unknown",
            position.speed.map { "\(rounded($0)) m/s" },
            position.heading.map { "heading \(rounded($0))°" },
            position.altitude.map { "altitude \(rounded($0)) m" },
            position.battery.map { "battery \(rounded($0 * 100)) %" },
        ]
        return "fix: " + parts.compactMap { $0 }.joined(separator: ", ")
    }
}
