/// What a map's camera does.
public enum ViewportStatus: Hashable, Sendable {
    /// Nothing moves it but the user's hand.
    case idle(IdleReason)
    /// It does what the viewport says.
    case state(Viewport)
    /// It is on its way there.
    case transition(to: Viewport)
    /// It sets off when the puck that it is to follow is known.
    case waiting(for: Viewport)

    /// What is wanted of it.
    public var viewport: Viewport {
        switch self {
        case .idle: .idle
        case .state(let viewport), .transition(let viewport), .waiting(let viewport): viewport
        }
    }
}

/// Why a camera is on nothing.
public enum IdleReason: Hashable, Sendable {
    /// Nothing was wanted of it, or that it be so.
    case requested
    /// A hand took the map.
    case userInteraction
}

/// A name that whoever sets a viewport gives the change, to hear how it ends.
public struct TransitionID: Hashable, Sendable {
    /// Any number.
    public let number: Int32

    /// Creates a name.
    public init(_ number: Int32) { self.number = number }
}

/// How a change of viewport ended; each is told exactly once.
public struct TransitionOutcome: Hashable, Sendable {
    /// Which change.
    public let id: TransitionID
    /// Whether it got there; `false` where something else came between.
    public let isFinished: Bool
}

/// What a hand did to the map.
public enum MapGesture: Hashable, Sendable {
    /// It drags the map.
    case pan
    /// It zooms in by a double tap.
    case doubleTap
    /// It zooms out by a tap of two fingers.
    case twoFingerTap
    /// It zooms, by two fingers, a wheel or keys: to this zoom.
    case zoom(Double)
    /// It turns the map: to this bearing in degrees.
    case rotate(Double)
    /// It tilts the map: to this pitch in degrees.
    case tilt(Double)
}
