import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// A user who makes a request.
struct Caller: Sendable, Hashable {
    let user: UserId
    let role: UserRole
    /// When what they are known by was issued.
    let issuedAt: Timestamp
    /// `nil` = never.
    let expiresAt: Timestamp?
    /// The browser's session by which they came; `nil` = by a token.
    var session: SecretHash?
}

/// Somebody without an account who makes a request, with a view link's token.
struct Guest: Sendable, Hashable {
    let link: ViewLink
    let channel: ChannelId
}

/// A device that a phone app speaks for, known by its ingest key.
struct FeedingDevice: Sendable, Hashable {
    let user: UserId
    let device: DeviceId
    /// The passphrase of the app's own encryption, encrypted.
    let sealedPassphrase: [UInt8]
}

/// Who makes a request.
enum Principal: Sendable, Hashable {
    case user(Caller)
    case guest(Guest)
    case device(FeedingDevice)

    /// The user; `nil` for a guest.
    var caller: Caller? {
        if case .user(let caller) = self { caller } else { nil }
    }

    /// Whose account it is; `nil` for a guest.
    var account: UserId? {
        switch self {
        case .user(let caller): caller.user
        case .guest: nil
        case .device(let device): device.user
        }
    }

    /// The same for the fan-out, let in at a moment.
    func viewer(admittedAt now: Timestamp) -> Viewer {
        switch self {
        case .user(let caller):
            Viewer(
                .user(caller.user), expiresAt: caller.expiresAt, admittedAt: now, session: caller.session)
        case .guest(let guest):
            Viewer(
                .guest(
                    ShareGuest(
                        link: guest.link.id, message: guest.link.messageId, channel: guest.channel)),
                expiresAt: guest.link.expiresTime, admittedAt: now)
        case .device: preconditionFailure("an ingest key opens no WebSocket")
        }
    }
}
