/// What happened to something that is observed.
public enum EntityChange<Item: Sendable>: Sendable {
    /// It is there now, and was not.
    case create(Item)
    /// It is another than it was.
    case update(Item)
    /// It is gone; as it was last known.
    case remove(Item)

    /// What it happened to, as it is now or was last known.
    public var item: Item {
        switch self {
        case .create(let item), .update(let item), .remove(let item): item
        }
    }
}

extension EntityChange: Equatable where Item: Equatable {}
extension EntityChange: Hashable where Item: Hashable {}
