import YonderClient

// What an app has of its own, as far as the articles' code speaks of it.

/// Whatever measures positions.
@MainActor final class Receiver: Sendable {
    var onFix: ((Fix) -> Void)?
    private(set) var starts = 0

    func start() { starts += 1 }
    func stop() {}
}

/// The app's own server, which signs tokens.
struct Backend: Sendable {
    func token(for user: UserId) async throws -> Token { Token(user.rawValue) }
}

/// Where an app writes its log.
struct Logbook: Sendable {
    func append(_ line: String) { print(line) }
}

/// What starts and stops the receiver.
@MainActor final class SharingDelegate: CurrentChatUserControllerDelegate {
    private let receiver: Receiver

    init(_ receiver: Receiver) { self.receiver = receiver }

    func currentUserControllerDidStartSharingLiveLocation(_: CurrentChatUserController) { receiver.start() }
    func currentUserControllerDidStopSharingLiveLocation(_: CurrentChatUserController) { receiver.stop() }
}
