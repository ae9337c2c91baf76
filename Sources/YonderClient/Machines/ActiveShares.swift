import YonderModel
import YonderRules

/// The live shares that this device feeds, as far as the client knows.
struct ActiveShares {
    private let userId: UserId
    /// The only device whose shares count; `nil` = all of the user's.
    private let deviceId: DeviceId?
    private var ends: [MessageId: Timestamp] = [:]
    /// Rises with every change, so that a list that was asked for before one is known to be old.
    private(set) var version = 0

    init(userId: UserId, deviceId: DeviceId?) {
        self.userId = userId
        self.deviceId = deviceId
    }

    /// Whether there is one to feed at a moment of the server's clock; `nil` = its clock is not known.
    func isEmpty(at now: Timestamp?) -> Bool {
        guard let now else { return ends.isEmpty }
        return !ends.values.contains { now < $0 }
    }

    /// All that are on.
    mutating func replace(with shares: [SharedLocation]) {
        removeAll()
        for share in shares { update(share) }
    }

    /// One began, changed or ended.
    mutating func update(_ share: SharedLocation) {
        guard share.userId == userId else { return }
        version += 1
        let isFed = deviceId == nil || share.fedByDeviceId == deviceId
        ends[share.messageId] = share.isLiveSharingActive && isFed ? share.endTime : nil
    }

    /// One is over or fed by another device.
    mutating func remove(_ messageId: MessageId) {
        version += 1
        ends[messageId] = nil
    }

    mutating func removeAll() {
        version += 1
        ends = [:]
    }
}
