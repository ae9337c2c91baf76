import Foundation
import Synchronization
import YonderLocation

/// What says where this machine is, with the words for people about it.
struct Receiver: Sendable {
    /// What a command says around its question.
    struct Words {
        /// The command's name.
        var command: String
        /// What is waited for.
        var wanted: String
        /// What had not come about yet when it was interrupted.
        var goal: String
        /// What replays a recording of a path.
        var replay: (String) -> String
    }

    let provider: LocationProvider
    /// What it is, and where.
    private let name: String
    /// The file, where it is none but a file, as a recording is.
    private let recording: String?

    private init(_ source: any LocationSource, _ name: String, recording: String? = nil) {
        provider = LocationProvider(source: source)
        self.name = name
        self.recording = recording
    }

    static func gpsd(host: String = "localhost", port: Int = 2947) -> Receiver {
        Receiver(GPSDSource(host: host, port: port), "gpsd at \(host):\(port)")
    }

    #if os(Linux)
        static var geoClue: Receiver { Receiver(GeoClueSource(desktopId: "yonder"), "GeoClue") }
    #endif

    static func nmea(path: String) -> Receiver {
        let file = URL(filePath: path).resolvingSymlinksInPath()
        let isFile = (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        return Receiver(
            NMEASource(path: path), "the receiver at \(path)", recording: isFile ? path : nil)
    }

    /// How long it waits without a word.
    private static let patience = Duration.seconds(2)

    /// The last that went wrong, in words.
    private final class Trouble: Sendable {
        let text = Mutex<String?>(nil)
    }

    /// Asks where it is, says what it waits for where that takes long, and ends at once when interrupted.
    ///
    /// - Parameters:
    ///   - timeout: How long it may take.
    ///   - words: What is said.
    ///   - interrupts: What ends it.
    /// - Returns: The location.
    /// - Throws: `CommandFailure` with status 1.
    func location(
        within timeout: Duration, _ words: Words, _ interrupts: Interrupts
    ) async throws(CommandFailure) -> Fix {
        let trouble = Trouble()
        provider.didFailWithError = { error in trouble.text.withLock { $0 = error.message } }
        defer { provider.didFailWithError = nil }
        let asking = Task { [provider] in await Self.ask(provider, timeout) }
        let notice = Task { [name, command = words.command, wanted = words.wanted] in
            try await Task.sleep(for: Self.patience)
            let reason = trouble.text.withLock { $0 }.map { ": \($0)" } ?? ""
            Output.problem("waiting for \(wanted) from \(name)\(reason)", as: command)
        }
        defer { notice.cancel() }
        guard let answer = await interrupts.value(of: asking, grace: .zero) else {
            asking.cancel()
            throw CommandFailure(status: 1, message: "interrupted before \(words.goal)")
        }
        switch answer {
        case .success(let fix): return fix
        case .failure(let error):
            throw CommandFailure(status: 1, message: explanation(of: error, words))
        }
    }

    private static func ask(
        _ provider: LocationProvider, _ timeout: Duration
    ) async -> Result<Fix, LocationError> {
        do throws(LocationError) {
            return .success(try await provider.getCurrentLocation(timeout: timeout))
        } catch {
            return .failure(error)
        }
    }

    /// Why there is no location, and what may help.
    private func explanation(of error: LocationError, _ words: Words) -> String {
        if error.code == .timeout {
            let reason = error.underlying as? LocationError
            guard let reason, [.sourceFailed, .outdated].contains(reason.code) else {
                return "no location came in time; does the receiver see the sky?"
            }
            return "no location came in time: \(reason.message)"
        }
        let text = "there is no location: \(error.message)"
        guard error.code == .outdated, let recording else { return text }
        return "\(text); \(recording) is a recording, which \(words.replay(recording)) replays"
    }
}
