import YonderClient

// What an app has of its own, as far as the articles' code speaks of it.

/// Whatever measures positions.
@MainActor final class Receiver: Sendable {
    var onFix: ((Fix) -> Void)?
    private(set) var starts = 0

    func start() { starts += 1 }
    func stop() {}
}

/// Where an app writes its log.
struct Logbook: Sendable {
    func append(_ line: String) { print(line) }
}
