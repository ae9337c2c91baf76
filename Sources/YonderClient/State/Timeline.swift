import YonderModel

/// A run of messages in the server's order, without gaps, that reaches to the newest one known.
struct Timeline: Hashable, Sendable {
    /// Oldest first.
    private(set) var ids: [MessageId] = []
    private var members: Set<MessageId> = []
    /// Whether there is nothing older.
    private(set) var reachesBeginning = false

    init() {}

    init(_ ids: [MessageId]) {
        self.ids = ids
        members = Set(ids)
    }

    func contains(_ id: MessageId) -> Bool { members.contains(id) }

    /// One that is newer than all others; nothing where it is there already.
    mutating func append(_ id: MessageId) {
        if members.insert(id).inserted { ids.append(id) }
    }

    /// A page of what is older than the oldest one here, oldest first; an empty one is the beginning.
    mutating func prepend(_ page: [MessageId], isLast: Bool) {
        let new = page.filter { !members.contains($0) }
        ids.insert(contentsOf: new, at: 0)
        members.formUnion(new)
        reachesBeginning = reachesBeginning || isLast
    }

    /// The newest page, oldest first.
    ///
    /// What came while it was being read stays behind it. Where the page does not reach what is known, that is
    /// dropped: nobody knows what lies between.
    ///
    /// - Parameters:
    ///   - page: Its messages.
    ///   - isLast: Whether there is nothing older than the page.
    ///   - isNewer: Whether one that is known was sent after the page's newest.
    mutating func merge(newest page: [MessageId], isLast: Bool, isNewer: (MessageId) -> Bool) {
        let fresh = Set(page)
        guard let first = ids.firstIndex(where: fresh.contains) else {
            let later = ids.filter(isNewer)
            self = Timeline(page + later)
            reachesBeginning = isLast
            return
        }
        let before = ids[..<first]
        let after = ids[first...].filter { !fresh.contains($0) }
        let reached = reachesBeginning || isLast
        self = Timeline(Array(before) + page + after)
        reachesBeginning = reached
    }

    /// Drops what stands before the first one of a page; where none of it is here, all stays.
    mutating func dropOlder(than page: [MessageId]) {
        let page = Set(page)
        guard let first = ids.firstIndex(where: page.contains) else { return }
        self = Timeline(Array(ids[first...]))
    }

    mutating func remove(_ id: MessageId) {
        if members.remove(id) != nil { ids.removeAll { $0 == id } }
    }
}
