/// How a camera gets from where it is to where a viewport wants it.
public struct Transition: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case immediate
        case eased(Easing, seconds: Double)
        case flight(seconds: Double?)
        case standard(maxSeconds: Double)
    }

    let kind: Kind

    /// At once.
    public static let immediate = Transition(kind: .immediate)

    /// Steadily, around one fixed point of the map; seconds, ≥ 0 and finite.
    public static func linear(duration: Double) -> Transition { eased(.linear, duration) }

    /// CSS `ease-in`; seconds, ≥ 0 and finite.
    public static func easeIn(duration: Double) -> Transition { eased(.easeIn, duration) }

    /// CSS `ease-out`; seconds, ≥ 0 and finite.
    public static func easeOut(duration: Double) -> Transition { eased(.easeOut, duration) }

    /// CSS `ease-in-out`; seconds, ≥ 0 and finite.
    public static func easeInOut(duration: Double) -> Transition { eased(.easeInOut, duration) }

    /// Along a ``FlyPath``, eased by CSS `ease`; seconds, ≥ 0 and finite, for which the path stays the same; `nil`:
    /// at ``FlyPath/speed``.
    public static func fly(duration: Double? = nil) -> Transition {
        if let duration { precondition(duration >= 0 && duration.isFinite, "a duration is finite and ≥ 0") }
        return Transition(kind: .flight(seconds: duration))
    }

    /// Along a ``FlyPath`` to where the viewport wants the camera by then; quick for what is near, and never longer
    /// than so many seconds, ≥ 0 and finite. Default 3.5.
    public static func `default`(maxDuration: Double = 3.5) -> Transition {
        precondition(maxDuration >= 0 && maxDuration.isFinite, "a duration is finite and ≥ 0")
        return Transition(kind: .standard(maxSeconds: maxDuration))
    }

    private static func eased(_ easing: Easing, _ duration: Double) -> Transition {
        precondition(duration >= 0 && duration.isFinite, "a duration is finite and ≥ 0")
        return Transition(kind: .eased(easing, seconds: duration))
    }

    /// How it runs in time.
    var easing: Easing {
        switch kind {
        case .immediate: .linear
        case .eased(let easing, _): easing
        case .flight: .ease
        case .standard: .easeInOut
        }
    }

    var flies: Bool {
        switch kind {
        case .immediate, .eased: false
        case .flight, .standard: true
        }
    }

    /// Seconds that it takes on a way; 0: it is there at once.
    func duration(of way: CameraWay) -> Double {
        switch kind {
        case .immediate: 0
        case .eased(_, let seconds): seconds
        case .flight(let seconds): seconds ?? way.naturalDuration
        case .standard(let most):
            way.naturalDuration == 0 ? 0 : min(most, max(Self.shortestStandard, way.naturalDuration))
        }
    }

    /// Seconds: less looks like a jump.
    static let shortestStandard = 0.25
}
