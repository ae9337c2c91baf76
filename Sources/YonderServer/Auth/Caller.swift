import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// A user who makes a request.
struct Caller: Sendable, Hashable {
    let user: UserId
    let role: UserRole
    /// `nil` = never.
    let expiresAt: Timestamp?
    /// The browser's session by which they came; `nil` = by a token.
    var session: SecretHash?
}

/// Somebody without an account who makes a request, with a view link's token.
struct Visitor: Sendable, Hashable {
    let link: ViewLink
    let channel: ChannelId
}

/// Who makes a request.
enum Principal: Sendable, Hashable {
    case user(Caller)
    case visitor(Visitor)

    /// The user; `nil` for a visitor.
    var caller: Caller? {
        if case .user(let caller) = self { caller } else { nil }
    }

    /// The same for the fan-out.
    var viewer: Viewer {
        switch self {
        case .user(let caller):
            Viewer(.user(caller.user), expiresAt: caller.expiresAt, session: caller.session)
        case .visitor(let visitor):
            Viewer(
                .guest(
                    ShareGuest(
                        link: visitor.link.id, message: visitor.link.messageId, channel: visitor.channel)),
                expiresAt: visitor.link.expiresTime)
        }
    }
}
