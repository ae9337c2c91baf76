import YonderModel

extension SharedLocation {
    /// This one, as it was known, with another telling of the same share: what it says of its life is taken
    /// from the later telling, the position from the later measurement.
    func merged(with other: SharedLocation) -> SharedLocation {
        let isLater = other.updatedTime >= updatedTime
        var merged = isLater ? other : self
        let positions = isLater ? self : other
        if merged.position != nil, positions.position != nil, positions.recordedTime > merged.recordedTime {
            merged.position = positions.position
            merged.recordedTime = positions.recordedTime
        }
        return merged
    }
}

extension Message {
    /// This one, as it was known, with another telling of it; a deleted one stays deleted.
    func merged(with other: Message) -> Message {
        if deletedTime != nil { return self }
        if other.deletedTime != nil || other.updatedTime >= updatedTime { return other }
        var merged = self
        merged.replyCount = max(replyCount, other.replyCount)
        return merged
    }
}
