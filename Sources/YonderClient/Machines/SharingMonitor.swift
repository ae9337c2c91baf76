import YonderModel

/// Tells a delegate that sharing has begun and ended: once each, whatever the number of shares in between.
struct SharingMonitor {
    enum Notice: Hashable, Sendable {
        case started
        case changed([ChatMessage])
        case stopped
    }

    private var known: [MessageId] = []

    /// The shares that are on now.
    ///
    /// - Returns: What a delegate is told, in this order.
    mutating func update(_ messages: [ChatMessage]) -> [Notice] {
        let ids = messages.map(\.id)
        guard ids != known else { return [] }
        defer { known = ids }
        var notices = [Notice.changed(messages)]
        if known.isEmpty { notices.insert(.started, at: 0) }
        if ids.isEmpty { notices.append(.stopped) }
        return notices
    }
}
