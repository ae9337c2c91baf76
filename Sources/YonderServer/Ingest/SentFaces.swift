import Synchronization
import YonderModel
import YonderRules

/// Which pictures an OwnTracks was sent of late, so that not every answer carries them all.
final class SentFaces: Sendable {
    /// A picture that has not changed is sent again after this many seconds: an answer may have been lost.
    static let seconds: Int64 = 900
    /// Most that are remembered; when there are more, all are sent anew.
    private static let most = 10_000

    private struct Key: Hashable {
        let user: UserId
        let device: DeviceId
        let friend: UserId
    }

    private let sent = Mutex<[Key: (face: Int, time: Timestamp)]>([:])

    /// Whether a picture is to be sent now; then it counts as sent.
    func isDue(_ face: String?, of friend: UserId, to device: FeedingDevice, at now: Timestamp) -> Bool {
        let key = Key(user: device.user, device: device.device, friend: friend)
        let hash = face.hashValue
        return sent.withLock { sent in
            if let last = sent[key], last.face == hash, now < last.time.advanced(bySeconds: Self.seconds) {
                return false
            }
            if sent.count >= Self.most { sent.removeAll() }
            sent[key] = (hash, now)
            return true
        }
    }
}
