/// What must hold of the engine, whatever is done to it: checked with random cases, natively and as WebAssembly.
public struct Proof: Sendable {
    /// A sentence.
    public let name: StaticString
    /// One case; `nil`: it holds, else the line that was reached.
    public let holds: @Sendable (inout Dice) -> Int?

    /// Checks cases from a seed on.
    ///
    /// - Returns: The seed of the first case that does not hold, and the line that says how; `nil`: all hold.
    public func failure(seed: UInt64, cases: Int) -> (seed: UInt64, line: Int)? {
        for number in 0..<UInt64(cases) {
            var dice = Dice(seed: seed &+ number &* 0x2545_F491_4F6C_DD1D)
            if let line = holds(&dice) { return (seed &+ number &* 0x2545_F491_4F6C_DD1D, line) }
        }
        return nil
    }

    /// All of them.
    public static let all: [Proof] = [
        Proof(
            name: "the camera is always finite and in range, and every change ends exactly once", holds: storm
        ),
        Proof(
            name: "longitude takes the shorter way and the bearing turns half a turn at most",
            holds: shorterWay),
        Proof(name: "an interrupted transition goes on from exactly where it was", holds: interruption),
        Proof(name: "no transition moves faster than its own path", holds: pace),
        Proof(name: "default ends in time and hands over to a moving puck without a jump", holds: handover),
        Proof(name: "a puck glides from where it is drawn, the shorter way", holds: glide),
        Proof(name: "an overview shows everything", holds: overview),
        Proof(name: "what is projected is found again at the same place", holds: projection),
        Proof(name: "the button agrees with the camera, whatever happens", holds: button),
    ]
}
