/// What a device's wrong clock means: how far its times are shifted onto the server's.
///
/// A device says when, by its own clock, it sent (`sent_at`). Where that is off
/// the server's clock by more than ``tolerance``, every time it sent along is
/// shifted by the difference; a smaller difference is travel time, not a wrong clock.
public struct ClockCorrection: Hashable, Sendable {
    /// Milliseconds to add to the device's times; 0 where its clock is right or unknown.
    public let shift: Int64

    /// Largest difference, in milliseconds, that is still called right.
    public static let tolerance: Int64 = 2_000

    /// Derives the correction from one request.
    ///
    /// - Parameters:
    ///   - sentAt: The device's clock at this attempt; `nil` where it did not say.
    ///   - now: The server's clock when the request arrived.
    public init(sentAt: Timestamp?, now: Timestamp) {
        guard let sentAt else {
            shift = 0
            return
        }
        let difference = now.milliseconds(since: sentAt)
        shift = difference > Self.tolerance || difference < -Self.tolerance ? difference : 0
    }

    /// A time of the device, on the server's clock.
    public func corrected(_ time: Timestamp) -> Timestamp { time.advanced(byMilliseconds: shift) }

    /// When a fix counts as measured, on the server's clock.
    ///
    /// - Parameters:
    ///   - recordedAt: The device's time; `nil` where it did not say.
    ///   - arrival: The server's clock at its arrival.
    /// - Returns: The corrected time; `nil` where there is none or where it lies more than 60 s ahead: then
    ///   the time of its arrival counts.
    public func measured(_ recordedAt: Timestamp?, arrival: Timestamp) -> Timestamp? {
        guard let recordedAt else { return nil }
        let time = corrected(recordedAt)
        return time > arrival.advanced(bySeconds: 60) ? nil : time
    }
}
