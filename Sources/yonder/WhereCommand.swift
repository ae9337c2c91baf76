import Foundation
import YonderLocation

/// `yonder where`: where this machine is, once.
struct WhereCommand: Command {
    static let declaration = CommandDeclaration(
        name: "where", summary: "Say where this machine is, once.",
        options: [
            .init("--source", "SOURCE", "gpsd, gpsd:HOST:PORT, geoclue or nmea:PATH. Default: gpsd."),
            .init("--accuracy", "METRES", "As good as this, if it comes in time. Default: the first one."),
            .init("--timeout", "TIME", "How long to wait; 30s, 2m. Default: 30s."),
            .init("--json", nil, "As JSON: latitude, longitude, accuracy and what else is known."),
            .init("--uri", nil, "As a geo: URI (RFC 5870), which maps open."),
        ],
        notes: ["Exit status 1 where there is no location in time, or Ctrl-C comes first. Needs no server."])

    private let receiver: Receiver
    private let accuracy: Double?
    private let timeout: Duration
    private let form: Form

    private enum Form { case text, json, uri }

    init(_ arguments: Arguments) throws(CommandFailure) {
        let form = "gpsd, gpsd:HOST:PORT, geoclue or nmea:PATH"
        switch try arguments.value("--source", expected: form, ReceiverOption.init) {
        case .receiver(let receiver): self.receiver = receiver
        case .track: throw .wrong("--source", expected: form)
        case nil: receiver = .gpsd()
        }
        accuracy = try arguments.value("--accuracy", expected: "metres, more than 0") { text in
            Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
        timeout =
            try arguments.value("--timeout", expected: Values.durationForm, Values.duration) ?? .seconds(30)
        switch (arguments.flag("--json"), arguments.flag("--uri")) {
        case (true, true): throw CommandFailure(status: 2, message: "expected --json or --uri, not both")
        case (true, false): self.form = .json
        case (false, true): self.form = .uri
        case (false, false): self.form = .text
        }
    }

    func run() async throws(CommandFailure) -> Int32 {
        let interrupts = Interrupts.listen()
        receiver.provider.desiredAccuracy = accuracy
        let words = Receiver.Words(
            command: "yonder where", wanted: "a location", goal: "there was a location",
            replay: { "`yonder share --gpx \($0)`" })
        let fix = try await receiver.location(within: timeout, words, interrupts)
        Output.line(Self.text(fix, form))
        return 0
    }

    private static func text(_ fix: Fix, _ form: Form) -> String {
        let place = fix.coordinate
        switch form {
        case .json: return String(decoding: WireJSON.encode(LocationInfo(fix)), as: UTF8.self)
        case .uri: return GeoURI(place, uncertainty: fix.horizontalAccuracy.map { $0.rounded(.up) }).text
        case .text:
            let accuracy = fix.horizontalAccuracy.map { " ± \(Int($0.rounded(.up))) m" } ?? ""
            return "\(place.latitude), \(place.longitude)\(accuracy)"
        }
    }
}
