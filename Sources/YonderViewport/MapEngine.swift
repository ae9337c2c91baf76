import YonderGeo

/// A map that follows: viewport, pucks and locate-me in one, for whoever draws it.
///
/// Times are seconds on any clock that does not jump. One call a frame says where the camera is and where each puck
/// is drawn; it allocates nothing.
public struct MapEngine: Sendable {
    /// The camera.
    public private(set) var viewport: ViewportMachine
    /// The button.
    public private(set) var locateMe: LocateMe
    /// Metres: a fix of the user's that is less sure is not shown; `nil`, the default: all are.
    public var worstAccuracy: Double?

    /// By their ids' numbers; the first is the user's own.
    private var pucks: [PuckMotion?] = [nil]
    private var drawn: [DrawnPuck?] = [nil]
    private var movedAt: [Double] = [-.infinity]
    private var isHidden = false
    private var shownAt = -Double.infinity

    /// Screen widths beyond which a puck does not glide.
    static let farScreens = 20.0

    /// Creates a map that is on nothing.
    public init(
        camera: Camera, size: ScreenSize, limits: CameraLimits = CameraLimits(),
        options: LocateMe.Options = LocateMe.Options()
    ) {
        viewport = ViewportMachine(camera: camera, size: size, limits: limits)
        locateMe = LocateMe(options: options)
    }

    /// Whether everything goes without motion. Default `false`.
    public var reducesMotion: Bool {
        get { viewport.reducesMotion }
        set { viewport.reducesMotion = newValue }
    }

    // MARK: Frames

    /// The camera of a frame; ``drawn(_:)`` says the pucks of the same.
    @discardableResult
    public mutating func frame(at now: Double) -> Camera {
        for index in pucks.indices { drawn[index] = pucks[index]?.drawn(at: now) }
        return viewport.advance(to: now, puck: followed)
    }

    /// A puck as it was drawn in the last frame; `nil`: there is none.
    public func drawn(_ id: PuckID) -> DrawnPuck? {
        drawn.indices.contains(Int(id.number)) ? drawn[Int(id.number)] : nil
    }

    /// How many pucks there may be: their ids' numbers are smaller.
    public var puckCount: Int { drawn.count }

    /// Whether the next frame looks different without anything new.
    public func isMoving(at now: Double) -> Bool {
        viewport.isMoving || pucks.contains { $0?.isMoving(at: now) ?? false }
    }

    private var followed: DrawnPuck? {
        guard let subject = viewport.subject else { return nil }
        return drawn(subject)
    }

    // MARK: Pucks

    /// A fix of a puck; the first one makes it.
    ///
    /// - Parameters:
    ///   - id: Not negative, and best small: a place is kept for each number below it.
    ///   - fix: What it says.
    ///   - now: Seconds.
    public mutating func moved(_ id: PuckID, to fix: PuckFix, at now: Double) {
        let index = Int(id.number)
        guard index >= 0 else { return }
        if id == .user {
            locateMe.located()
            if let worstAccuracy, let accuracy = fix.accuracy, accuracy > worstAccuracy { return }
        }
        while pucks.count <= index {
            pucks.append(nil)
            drawn.append(nil)
            movedAt.append(-.infinity)
        }
        let isUnseen = isHidden || movedAt[index] < shownAt
        movedAt[index] = now
        let farAway = farAway(at: fix.coordinate)
        let isInstant = isUnseen || reducesMotion
        if pucks[index]?.move(to: fix, at: now, farAway: farAway, isInstant: isInstant) == nil {
            pucks[index] = PuckMotion(fix, at: now)
        }
    }

    /// The heading of a puck's device; `nil`: unknown. Nothing is turned that has no place yet.
    public mutating func turned(_ id: PuckID, to degrees: Double?, at now: Double) {
        let index = Int(id.number)
        guard pucks.indices.contains(index) else { return }
        let before = turning
        let isInstant = isHidden || reducesMotion
        pucks[index]?.turn(to: degrees, at: now, isInstant: isInstant)
        guard id == .user, before != turning, turning != .heading else { return }
        frame(at: now)
        react(to: locateMe.turnLost(viewport: wanted, turning: turning), at: now)
    }

    /// A puck is gone. A camera that followed it stays where it is.
    public mutating func removed(_ id: PuckID) {
        let index = Int(id.number)
        guard pucks.indices.contains(index) else { return }
        pucks[index] = nil
        drawn[index] = nil
    }

    private func farAway(at place: Coordinate) -> Double {
        let metres = Mercator.metresPerPixel(latitude: place.latitude, zoom: viewport.camera.zoom)
        return Self.farScreens * max(1, viewport.size.width) * metres
    }

    /// What a map could turn with.
    private var turning: FollowBearing? {
        guard let puck = pucks[0] else { return nil }
        return puck.hasHeading ? .heading : puck.hasCourse ? .course : nil
    }

    // MARK: Camera

    private var wanted: Viewport { viewport.status.viewport }

    /// Makes the camera do something else; see ``ViewportMachine/set(_:by:id:at:puck:)``.
    public mutating func set(
        _ viewport: Viewport, by transition: Transition = .default(), id: TransitionID? = nil, at now: Double
    ) {
        frame(at: now)
        var puck: DrawnPuck?
        if let follow = viewport.followPuck { puck = drawn(follow.subject) }
        self.viewport.set(viewport, by: transition, id: id, at: now, puck: puck)
    }

    /// What a hand does; see ``ViewportMachine/handle(_:at:puck:)``.
    public mutating func handle(_ gesture: MapGesture, at now: Double) {
        frame(at: now)
        viewport.handle(gesture, at: now, puck: followed)
    }

    /// The camera that a hand has given the map; counts while it is on nothing, or waits.
    public mutating func moved(byHandTo camera: Camera) { viewport.moved(byHandTo: camera) }

    /// The map has another size.
    public mutating func resize(to size: ScreenSize, at now: Double) {
        frame(at: now)
        viewport.resize(to: size, at: now, puck: followed)
    }

    /// How changes of viewport ended since the last call.
    public mutating func takeOutcomes() -> [TransitionOutcome] { viewport.takeOutcomes() }

    /// The camera that ``Viewport/styleDefault`` means.
    public mutating func setStyleDefault(_ camera: Camera?) { viewport.styleDefault = camera }

    // MARK: The button

    /// What the button shows.
    public var locateMeState: LocateMe.State { locateMe.state(with: wanted) }

    /// Whether the user's puck must not look fresh.
    public var isStale: Bool { drawn[0]?.isStale ?? false }

    /// A tap on the button.
    @discardableResult
    public mutating func tapped(at now: Double) -> LocateMe.Reaction {
        frame(at: now)
        let reaction = locateMe.tapped(
            at: now, viewport: wanted, zoom: viewport.camera.zoom, turning: turning)
        return react(to: reaction, at: now)
    }

    /// A viewport that follows the user was set by other means.
    @discardableResult
    public mutating func followed(at now: Double) -> LocateMe.Reaction { locateMe.followed(at: now) }

    /// A receiver or the system refuses.
    @discardableResult
    public mutating func failed(_ failure: LocateMe.Failure) -> LocateMe.Reaction { locateMe.failed(failure) }

    /// The device can give no position at all.
    public mutating func ruledOut(_ reason: LocateMe.Reason) { locateMe.ruledOut(reason) }

    /// The user changed the permission.
    @discardableResult
    public mutating func permitted(_ isAllowed: Bool, at now: Double) -> LocateMe.Reaction {
        locateMe.permitted(isAllowed, at: now)
    }

    /// Nobody sees the map, or somebody does again: then the next fix of each puck is shown at once.
    @discardableResult
    public mutating func seen(_ isSeen: Bool, at now: Double) -> LocateMe.Reaction {
        if isSeen, isHidden { shownAt = now }
        isHidden = !isSeen
        return locateMe.seen(isSeen, at: now)
    }

    /// Time goes by; to be told about once a second.
    @discardableResult
    public mutating func ticked(at now: Double) -> LocateMe.Reaction { locateMe.ticked(at: now) }

    @discardableResult
    private mutating func react(to reaction: LocateMe.Reaction, at now: Double) -> LocateMe.Reaction {
        if let wanted = reaction.viewport { set(wanted, by: locateMe.transition, at: now) }
        return reaction
    }
}
