/// What a loop's owner does with its connections. Every call comes on the loop's thread.
///
/// A call must be short: all connections of the loop wait for it.
public protocol WebSocketLoopDelegate: AnyObject {
    /// A connection has come. Its first message may follow at once.
    func opened(_ connection: WebSocketConnection)
    /// A whole text message, valid UTF-8. A binary message closes the connection with 1003 instead.
    func received(_ connection: WebSocketConnection, text: [UInt8])
    /// The connection was blocked; all that waited has gone to the kernel.
    func writable(_ connection: WebSocketConnection)
    /// The connection is gone. Comes once for each `opened`, and is its last call.
    func closed(_ connection: WebSocketConnection)
    /// Called before every wait: do what is due.
    ///
    /// - Parameter now: The time the loop goes by.
    /// - Returns: When to be called again at the latest, to the millisecond; `nil`: after the next event
    ///   or `wake()` will do.
    func poll(now: ContinuousClock.Instant) -> ContinuousClock.Instant?
}
