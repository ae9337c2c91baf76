import YonderGeo

/// Drives a map's camera: a state machine without a clock of its own.
///
/// Times are seconds on any clock that does not jump; one that goes back stands still instead. Whatever is done to
/// it, the camera goes on from where it is.
public struct ViewportMachine: Sendable {
    /// The map's size.
    public private(set) var size: ScreenSize
    /// How far the camera may go.
    public let limits: CameraLimits
    /// Where it was when the machine was last asked.
    public private(set) var camera: Camera
    /// What it does.
    public private(set) var status = ViewportStatus.idle(.requested)
    /// Whether every transition is immediate, for people whom motion makes ill. Default `false`.
    public var reducesMotion = false
    /// The camera of the map's style; `nil`: ``Viewport/styleDefault`` leaves the camera where it is.
    public var styleDefault: Camera?

    /// What is under way, or waits for the puck.
    private var run: Run?
    private var puck: DrawnPuck?
    private var clock = -Double.infinity
    private var outcomes: [TransitionOutcome] = []

    private struct Run: Sendable {
        var id: TransitionID?
        let transition: Transition
        var startedAt: Double
        var duration: Double
        /// `nil` while it waits for the puck.
        var way: CameraWay?
    }

    /// Creates a machine that is on nothing.
    public init(camera: Camera, size: ScreenSize, limits: CameraLimits = CameraLimits()) {
        self.limits = limits
        self.size = size
        self.camera = limits.limited(camera)
    }

    /// How the changes ended that did so since the last call, in that order.
    public mutating func takeOutcomes() -> [TransitionOutcome] {
        guard !outcomes.isEmpty else { return [] }
        defer { outcomes = [] }
        return outcomes
    }

    /// Whose puck is followed, or waited for; `nil`: nobody's.
    public var subject: PuckID? {
        guard let follow = status.viewport.followPuck else { return nil }
        return follow.subject
    }

    /// Whether the camera moves by itself, if it is asked again.
    public var isMoving: Bool { run?.way != nil }

    // MARK: Time

    /// The camera of a moment, to be asked once a frame.
    ///
    /// - Parameters:
    ///   - now: Seconds.
    ///   - puck: The followed puck as it is drawn at that moment; `nil`: unknown, the camera stays.
    /// - Returns: ``camera``.
    @discardableResult
    public mutating func advance(to now: Double, puck: DrawnPuck?) -> Camera {
        tick(now)
        let hadDirection = direction(of: status.viewport.followPuck) != nil
        if let puck { self.puck = puck }
        switch status {
        case .idle: break
        case .waiting(let viewport):
            if puck != nil { depart(to: viewport) }
        case .transition(let viewport): travel(to: viewport)
        case .state(let viewport):
            guard let follow = viewport.followPuck else { break }
            if !hadDirection, direction(of: follow) != nil {
                // It turns to a compass that comes late, and does not jump.
                begin(viewport, .default(maxDuration: Self.turningSeconds), id: nil)
            } else {
                camera = target(of: viewport)
            }
        }
        return camera
    }

    private static let turningSeconds = 0.3

    private mutating func tick(_ now: Double) {
        if now.isFinite, now > clock { clock = now }
    }

    /// A step of what is under way.
    private mutating func travel(to viewport: Viewport) {
        guard var way = run?.way, let run else { return }
        if viewport.followPuck != nil {
            way.aim(at: target(of: viewport))
            self.run?.way = way
        }
        let part = run.duration > 0 ? (clock - run.startedAt) / run.duration : 1
        if part >= 1 {
            arrive(at: viewport, way.end)
        } else {
            camera = limits.limited(way.camera(at: run.transition.easing(part)))
        }
    }

    private mutating func arrive(at viewport: Viewport, _ end: Camera) {
        camera = end
        status = .state(viewport)
        finish(true)
    }

    private mutating func finish(_ isFinished: Bool) {
        if let id = run?.id { outcomes.append(TransitionOutcome(id: id, isFinished: isFinished)) }
        run = nil
    }

    // MARK: Viewports

    /// Makes the camera do something else, from where it is at that moment.
    ///
    /// What was under way ends unfinished. Where the same is wanted already nothing changes, and the change counts
    /// as finished. To follow a puck that is not known yet waits for it.
    ///
    /// - Parameters:
    ///   - viewport: What is wanted.
    ///   - transition: How it gets there. Default ``Transition/default(maxDuration:)``.
    ///   - id: Names the change in ``takeOutcomes()``; `nil`: nobody asks.
    ///   - now: Seconds.
    ///   - puck: The puck that the new viewport follows, as it is drawn then; `nil`: unknown, or it follows none.
    public mutating func set(
        _ viewport: Viewport, by transition: Transition = .default(), id: TransitionID? = nil, at now: Double,
        puck: DrawnPuck?
    ) {
        let isSameSubject = viewport.followPuck?.subject == status.viewport.followPuck?.subject
        advance(to: now, puck: isSameSubject ? puck : nil)
        if viewport == status.viewport {
            if let id { outcomes.append(TransitionOutcome(id: id, isFinished: true)) }
            return
        }
        finish(false)
        if viewport.followPuck != nil { self.puck = puck }
        if viewport.isIdle {
            status = .idle(.requested)
            if let id { outcomes.append(TransitionOutcome(id: id, isFinished: true)) }
        } else if viewport.followPuck != nil, puck == nil {
            status = .waiting(for: viewport)
            run = Run(id: id, transition: transition, startedAt: clock, duration: 0)
        } else {
            begin(viewport, transition, id: id)
        }
    }

    /// Sets off after waiting.
    private mutating func depart(to viewport: Viewport) {
        guard let run else { return }
        begin(viewport, run.transition, id: run.id)
    }

    private mutating func begin(_ viewport: Viewport, _ transition: Transition, id: TransitionID?) {
        let way = way(to: viewport, by: transition)
        // A map without a size is seen by nobody.
        let duration = reducesMotion || size.isEmpty ? 0 : transition.duration(of: way)
        run = Run(id: id, transition: transition, startedAt: clock, duration: duration, way: way)
        if duration > 0 {
            status = .transition(to: viewport)
        } else {
            arrive(at: viewport, way.end)
        }
    }

    /// The rest of what is under way, from where the camera is now.
    private mutating func aimAnew(at viewport: Viewport) {
        guard var rest = run else { return }
        status = .transition(to: viewport)
        rest.duration = max(0, rest.startedAt + rest.duration - clock)
        rest.startedAt = clock
        rest.way = way(to: viewport, by: rest.transition)
        run = rest
    }

    private func way(to viewport: Viewport, by transition: Transition) -> CameraWay {
        CameraWay(
            from: camera, to: target(of: viewport), in: size, lowestZoom: limits.zoom.lowerBound,
            flies: transition.flies)
    }

    /// Where a viewport wants the camera now.
    private func target(of viewport: Viewport) -> Camera {
        limits.limited(wanted(by: viewport))
    }

    private func wanted(by viewport: Viewport) -> Camera {
        switch viewport.kind {
        case .idle: camera
        case .styleDefault: styleDefault ?? camera
        case .camera(let fixed): self.fixed(fixed, viewport.padding)
        case .overview(let overview):
            Camera.fitting(
                overview.geometry, in: size, padding: viewport.padding,
                geometryPadding: overview.geometryPadding,
                bearing: overview.bearing, pitch: overview.pitch, maxZoom: overview.maxZoom, limits: limits)
                ?? camera
        case .followPuck(let follow): following(follow, viewport.padding)
        }
    }

    private func fixed(_ fixed: FixedCamera, _ padding: Padding) -> Camera {
        let turned = limits.limited(
            Camera(
                center: fixed.center ?? camera.center, zoom: fixed.zoom ?? camera.zoom,
                bearing: fixed.bearing ?? camera.bearing, pitch: fixed.pitch ?? camera.pitch, padding: padding
            ))
        guard fixed.center == nil, let anchor = fixed.anchor,
            let before = camera.coordinate(at: anchor, in: size),
            let offset = turned.groundOffset(at: anchor, in: size)
        else { return turned }
        let world = Mercator.worldSize(zoom: turned.zoom)
        let held = before.worldPoint
        return Camera(
            center: Coordinate(WorldPoint(x: held.x - offset.x / world, y: held.y - offset.y / world)),
            zoom: turned.zoom, bearing: turned.bearing, pitch: turned.pitch, padding: padding)
    }

    private func following(_ follow: FollowPuck, _ padding: Padding) -> Camera {
        Camera(
            center: puck?.coordinate ?? camera.center, zoom: follow.zoom,
            // A direction that is not known is the one of before.
            bearing: direction(of: follow) ?? run?.way?.end.bearing ?? camera.bearing, pitch: follow.pitch,
            padding: padding)
    }

    /// What is to be up; `nil`: that is not known.
    private func direction(of follow: FollowPuck?) -> Double? {
        switch follow?.bearing {
        case nil: nil
        case .constant(let degrees): degrees
        case .heading: puck?.heading
        case .course: puck?.course
        }
    }

    // MARK: Hands and windows

    /// Takes note of what a hand does.
    ///
    /// To drag, or to tap for another zoom, leaves whatever the camera was on. To zoom, turn or tilt goes on
    /// following, so from then on; any other viewport is left by it, too.
    public mutating func handle(_ gesture: MapGesture, at now: Double, puck: DrawnPuck?) {
        advance(to: now, puck: puck)
        guard var follow = status.viewport.followPuck else { return letGo() }
        switch gesture {
        case .pan, .doubleTap, .twoFingerTap: return letGo()
        case .zoom(let zoom) where zoom.isFinite: follow.zoom = limits.limited(zoom: zoom)
        case .rotate(let bearing) where bearing.isFinite:
            follow.bearing = .constant(Bearing.normalized(bearing))
        case .tilt(let pitch) where pitch.isFinite: follow.pitch = min(limits.maxPitch, max(0, pitch))
        case .zoom, .rotate, .tilt: return
        }
        let viewport = status.viewport.following(follow)
        switch status {
        case .idle: break
        case .waiting: status = .waiting(for: viewport)
        case .state:
            status = .state(viewport)
            camera = target(of: viewport)
        case .transition:
            camera = underHand(gesture)
            aimAnew(at: viewport)
        }
    }

    /// The camera with what a hand has set in it.
    private func underHand(_ gesture: MapGesture) -> Camera {
        switch gesture {
        case .pan, .doubleTap, .twoFingerTap: camera
        case .zoom(let zoom): camera.zoomed(to: limits.limited(zoom: zoom))
        case .rotate(let bearing):
            Camera(
                center: camera.center, zoom: camera.zoom, bearing: bearing, pitch: camera.pitch,
                padding: camera.padding)
        case .tilt(let pitch):
            Camera(
                center: camera.center, zoom: camera.zoom, bearing: camera.bearing,
                pitch: min(limits.maxPitch, max(0, pitch)), padding: camera.padding)
        }
    }

    private mutating func letGo() {
        guard !status.viewport.isIdle else { return }
        finish(false)
        status = .idle(.userInteraction)
    }

    /// Takes over the camera that a hand has given the map. Counts while the camera is on nothing, or waits.
    public mutating func moved(byHandTo camera: Camera) {
        switch status {
        case .idle, .waiting: self.camera = limits.limited(camera)
        case .state, .transition: break
        }
    }

    /// The map has another size: nothing is left for that, an overview is fitted anew.
    public mutating func resize(to size: ScreenSize, at now: Double, puck: DrawnPuck?) {
        guard size != self.size else { return }
        advance(to: now, puck: puck)
        self.size = size
        switch status {
        case .idle, .waiting: break
        case .transition(let viewport): aimAnew(at: viewport)
        case .state(let viewport):
            if viewport.overview != nil { camera = target(of: viewport) }
        }
    }
}
