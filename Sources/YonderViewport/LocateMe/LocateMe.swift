/// The button that everybody knows from maps: where am I, come with me, turn with me, let go.
///
/// What the camera does is the viewport's to say; this says what the button shows for it, and what a tap means.
public struct LocateMe: Hashable, Sendable {
    /// What the button shows.
    public enum State: Hashable, Sendable {
        /// There is no position to be had, for a reason.
        case unavailable(Reason)
        /// The user does not allow it.
        case denied
        /// It was not asked for.
        case off
        /// It was asked for and is not known yet.
        case waiting
        /// The camera goes with it.
        case followNorth
        /// The camera goes and turns with it.
        case followHeading
        /// It is shown, and the camera is elsewhere.
        case free
    }

    /// Why there is no position.
    public enum Reason: Hashable, Sendable {
        /// This device or browser has none to give.
        case unsupported
        /// It gives none to an insecure page.
        case insecure
        /// It does not know where it is.
        case position
        /// It does not answer.
        case timeout
    }

    /// What a receiver or the system says against it.
    public enum Failure: Hashable, Sendable {
        /// The user does not allow it.
        case denied
        /// It passes, or does not: the receiver goes on, or is started anew.
        case unavailable(Reason)
    }

    /// How the button behaves.
    public struct Options: Hashable, Sendable {
        /// The zoom of the first step. Default 13.
        public var zoom = 13.0
        /// The zoom of the second step. Default 16.5.
        public var headingZoom = 16.5
        /// The pitch of the second step, in degrees. Default 60.
        public var headingPitch = 60.0
        /// Whether a map that is closer stays so. Default `false`.
        public var keepsCloserZoom = false
        /// Whether the map is laid flat again after the second step. Default `false`.
        public var levelsWhenFreed = false
        /// Seconds that a step takes at most. Default 1.
        public var maxDuration = 1.0
        /// Seconds in which a receiver has to answer. Default 20.
        public var patience = 20.0

        /// The defaults.
        public init() {}
    }

    /// What is to be done about an event.
    public struct Reaction: Hashable, Sendable {
        /// What the receiver is to do; `nil`: go on.
        public var source: SourceOrder?
        /// What the camera is to do; `nil`: go on.
        public var viewport: Viewport?
        /// Whether the help for the state is to be shown.
        public var explains = false
    }

    /// What a receiver is to do.
    public enum SourceOrder: Hashable, Sendable {
        /// Ask for the permission that it needs, and tell fixes; anew where it did already.
        case start
        /// Tell no more.
        case stop
    }

    private enum Source: Hashable, Sendable {
        case off
        case asked(since: Double)
        case known
        case denied
        case failed(Reason)
    }

    /// How it behaves.
    public let options: Options
    private var source = Source.off
    private var isHidden = false

    /// Creates a button that was not used yet.
    public init(options: Options = Options()) { self.options = options }

    /// How a step moves the camera.
    public var transition: Transition { .default(maxDuration: options.maxDuration) }

    /// What it shows while the camera does this.
    public func state(with viewport: Viewport) -> State {
        switch source {
        case .off: return .off
        case .asked: return .waiting
        case .denied: return .denied
        case .failed(let reason): return .unavailable(reason)
        case .known:
            guard let follow = viewport.followPuck, follow.subject == .user else { return .free }
            switch follow.bearing {
            case .constant: return .followNorth
            case .heading, .course: return .followHeading
            }
        }
    }

    /// Whether a receiver is to run.
    public var wantsSource: Bool {
        switch source {
        case .off, .denied, .failed(.unsupported), .failed(.insecure): false
        case .asked, .known, .failed: !isHidden
        }
    }

    /// A tap.
    ///
    /// - Parameters:
    ///   - now: Seconds.
    ///   - viewport: What the camera does.
    ///   - zoom: How close it is.
    ///   - turning: What a map could turn with; `nil`: neither heading nor course is known, and the step is left out.
    /// - Returns: What is to be done.
    public mutating func tapped(
        at now: Double, viewport: Viewport, zoom: Double, turning: FollowBearing?
    ) -> Reaction {
        let wanted = wantsSource
        switch source {
        case .off:
            source = .asked(since: now)
            return Reaction(source: order(unless: wanted), viewport: north(zoom, viewport))
        case .asked:
            source = .off
            return Reaction(source: order(unless: wanted), viewport: .idle)
        case .failed(.unsupported), .failed(.insecure):
            return Reaction(explains: true)
        case .denied, .failed:
            source = .asked(since: now)
            return Reaction(
                source: wantsSource ? .start : nil, viewport: north(zoom, viewport), explains: true)
        case .known:
            switch state(with: viewport) {
            case .followNorth:
                guard let turning else { return freed(viewport) }
                return Reaction(viewport: heading(turning, zoom, viewport))
            case .followHeading: return freed(viewport)
            case .free, .off, .waiting, .denied, .unavailable:
                return Reaction(viewport: north(zoom, viewport))
            }
        }
    }

    /// A viewport that follows was set by other means: the position is wanted, if it is not known already.
    public mutating func followed(at now: Double) -> Reaction {
        guard source == .off else { return Reaction() }
        return ask(at: now)
    }

    /// A fix came.
    public mutating func located() {
        switch source {
        case .off, .denied: break
        case .asked, .known, .failed: source = .known
        }
    }

    /// A receiver or the system refuses.
    public mutating func failed(_ failure: Failure) -> Reaction {
        let wanted = wantsSource
        switch (source, failure) {
        case (.off, _), (.denied, _): break
        case (_, .denied): source = .denied
        case (_, .unavailable(let reason)): source = .failed(reason)
        }
        return Reaction(source: order(unless: wanted))
    }

    /// The device can give no position at all, whatever is tried.
    public mutating func ruledOut(_ reason: Reason) { source = .failed(reason) }

    /// The user changed the permission.
    public mutating func permitted(_ isAllowed: Bool, at now: Double) -> Reaction {
        guard isAllowed else { return failed(.denied) }
        guard source == .denied else { return Reaction() }
        return ask(at: now)
    }

    /// The compass or the course is gone while the map turned with it.
    ///
    /// - Parameters:
    ///   - viewport: What the camera does.
    ///   - turning: What else a map could turn with; `nil`: nothing.
    /// - Returns: What is to be done.
    public func turnLost(viewport: Viewport, turning: FollowBearing?) -> Reaction {
        guard var follow = viewport.followPuck, follow.subject == .user,
            state(with: viewport) == .followHeading
        else { return Reaction() }
        follow.bearing = turning ?? .constant(0)
        return Reaction(viewport: viewport.following(follow))
    }

    /// Nobody sees the map, or somebody does again.
    public mutating func seen(_ isSeen: Bool, at now: Double) -> Reaction {
        guard isHidden == isSeen else { return Reaction() }
        let wanted = wantsSource
        isHidden = !isSeen
        if case .asked = source { source = .asked(since: now) }
        return Reaction(source: order(unless: wanted))
    }

    /// Time goes by; to be told about once a second.
    public mutating func ticked(at now: Double) -> Reaction {
        guard case .asked(let since) = source, !isHidden, now - since >= options.patience else {
            return Reaction()
        }
        source = .failed(.timeout)
        return Reaction(source: .start)
    }

    private mutating func ask(at now: Double) -> Reaction {
        let wanted = wantsSource
        source = .asked(since: now)
        return Reaction(source: order(unless: wanted))
    }

    /// What a receiver is to be told after a change; `nil` where it was so before.
    private func order(unless wanted: Bool) -> SourceOrder? {
        wantsSource == wanted ? nil : wantsSource ? .start : .stop
    }

    private func north(_ zoom: Double, _ viewport: Viewport) -> Viewport {
        .followPuck(zoom: closer(options.zoom, zoom)).padding(viewport.padding)
    }

    private func heading(_ turning: FollowBearing, _ zoom: Double, _ viewport: Viewport) -> Viewport {
        .followPuck(zoom: closer(options.headingZoom, zoom), bearing: turning, pitch: options.headingPitch)
            .padding(viewport.padding)
    }

    private func closer(_ wanted: Double, _ zoom: Double) -> Double {
        options.keepsCloserZoom ? max(wanted, zoom) : wanted
    }

    private func freed(_ viewport: Viewport) -> Reaction {
        let isTilted = viewport.followPuck.map { $0.pitch > 0 } ?? false
        return Reaction(
            viewport: options.levelsWhenFreed && isTilted
                ? .camera(pitch: 0).padding(viewport.padding) : .idle)
    }
}
