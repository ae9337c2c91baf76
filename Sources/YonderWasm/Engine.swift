#if hasFeature(Embedded)
    import YonderGeo
    import YonderViewport

    // The one map of a page. Times are seconds, what is unknown is NaN, and whatever makes no sense is refused.

    nonisolated(unsafe) var engine = MapEngine(
        camera: Camera(center: Coordinate(latitude: 0, longitude: 0)!, zoom: 0),
        size: ScreenSize(width: 0, height: 0))
    private nonisolated(unsafe) var padding = Padding.zero
    private nonisolated(unsafe) var outcomes: [TransitionOutcome] = []
    private nonisolated(unsafe) var told = 0

    /// A new map. Options: 1 keeps a closer zoom, 2 levels when freed.
    @_expose(wasm, "engine_create")
    func engineCreate(
        _ lng: Double, _ lat: Double, _ zoom: Double, _ width: Double, _ height: Double, _ minZoom: Double,
        _ maxZoom: Double, _ maxPitch: Double, _ options: Int32
    ) -> Bool {
        guard let camera = camera(lng, lat, zoom, 0, 0), let size = size(width, height), minZoom <= maxZoom,
            minZoom >= -10, maxZoom <= 30, maxPitch >= 0, maxPitch <= 85
        else { return false }
        var button = LocateMe.Options()
        button.keepsCloserZoom = options & 1 != 0
        button.levelsWhenFreed = options & 2 != 0
        engine = MapEngine(
            camera: camera, size: size, limits: CameraLimits(zoom: minZoom...maxZoom, maxPitch: maxPitch),
            options: button)
        padding = .zero
        outcomes = []
        told = 0
        return true
    }

    /// Whether everything goes without motion.
    @_expose(wasm, "engine_reduce_motion") func engineReduceMotion(_ isReduced: Bool) {
        engine.reducesMotion = isReduced
    }

    /// The map has another size.
    @_expose(wasm, "engine_resize") func engineResize(_ width: Double, _ height: Double, _ now: Double) {
        if let size = size(width, height) { engine.resize(to: size, at: now) }
    }

    /// What is covered at the edges, for every viewport from now on.
    @_expose(wasm, "engine_padding")
    func enginePadding(_ top: Double, _ right: Double, _ bottom: Double, _ left: Double) -> Bool {
        guard min(min(top, right), min(bottom, left)) >= 0, top + right + bottom + left <= ScreenSize.largest
        else {
            return false
        }
        padding = Padding(top: top, right: right, bottom: bottom, left: left)
        return true
    }

    // MARK: Viewports

    /// Nothing.
    @_expose(wasm, "engine_idle") func engineIdle(_ id: Int32, _ now: Double) {
        engine.set(.idle, by: .immediate, id: TransitionID(id), at: now)
    }

    /// A camera that stands still; NaN: as it is.
    @_expose(wasm, "engine_camera")
    func engineCamera(
        _ lng: Double, _ lat: Double, _ zoom: Double, _ bearing: Double, _ pitch: Double, _ kind: Int32,
        _ seconds: Double, _ id: Int32, _ now: Double
    ) -> Bool {
        let center = Coordinate(latitude: lat, longitude: lng)
        guard center != nil || (lng.isNaN && lat.isNaN), !zoom.isInfinite, !bearing.isInfinite,
            pitch.isNaN || (0...85).contains(pitch), let transition = transition(kind, seconds)
        else { return false }
        let viewport = Viewport.camera(
            center: center, zoom: zoom.known, bearing: bearing.known, pitch: pitch.known)
        engine.set(viewport.padding(padding), by: transition, id: TransitionID(id), at: now)
        return true
    }

    /// All of the places in the scratch: so many pairs of longitude and latitude. `free`: pixels around them.
    @_expose(wasm, "engine_overview")
    func engineOverview(
        _ count: Int32, _ free: Double, _ bearing: Double, _ pitch: Double, _ maxZoom: Double, _ kind: Int32,
        _ seconds: Double, _ id: Int32, _ now: Double
    ) -> Bool {
        guard count >= 0, Int(count) * 2 <= scratch.count, free >= 0, free.isFinite, bearing.isFinite,
            (0...85).contains(pitch), !maxZoom.isInfinite, let transition = transition(kind, seconds)
        else { return false }
        var places: [Coordinate] = []
        for index in 0..<Int(count) {
            guard let place = Coordinate(latitude: scratch[2 * index + 1], longitude: scratch[2 * index])
            else {
                return false
            }
            places.append(place)
        }
        let viewport = Viewport.overview(
            .coordinates(places), bearing: bearing, pitch: pitch,
            geometryPadding: Padding(floatLiteral: free),
            maxZoom: maxZoom.known)
        engine.set(viewport.padding(padding), by: transition, id: TransitionID(id), at: now)
        return true
    }

    /// A puck. Turning: 0 the bearing, 1 heading, 2 course.
    @_expose(wasm, "engine_follow")
    func engineFollow(
        _ puck: Int32, _ zoom: Double, _ turning: Int32, _ bearing: Double, _ pitch: Double, _ kind: Int32,
        _ seconds: Double, _ id: Int32, _ now: Double
    ) -> Bool {
        guard puck >= 0, zoom.isFinite, bearing.isFinite, (0...85).contains(pitch),
            let transition = transition(kind, seconds)
        else { return false }
        let up: FollowBearing = turning == 1 ? .heading : turning == 2 ? .course : .constant(bearing)
        let viewport = Viewport.followPuck(zoom: zoom, bearing: up, pitch: pitch, subject: PuckID(puck))
        engine.set(viewport.padding(padding), by: transition, id: TransitionID(id), at: now)
        return true
    }

    /// How a change of viewport ended: twice its id, one more if it got there; -1: none did since the last call.
    @_expose(wasm, "engine_outcome") func engineOutcome() -> Int32 {
        if told == outcomes.count {
            outcomes = engine.takeOutcomes()
            told = 0
        }
        guard told < outcomes.count else { return -1 }
        defer { told += 1 }
        return outcomes[told].id.number &* 2 &+ (outcomes[told].isFinished ? 1 : 0)
    }

    // MARK: Hands

    /// 0 pan, 1 double tap, 2 tap of two fingers, 3 zoom, 4 rotate, 5 tilt; the value is that of the last three.
    @_expose(wasm, "engine_gesture") func engineGesture(_ kind: Int32, _ value: Double, _ now: Double) {
        switch kind {
        case 0: engine.handle(.pan, at: now)
        case 1: engine.handle(.doubleTap, at: now)
        case 2: engine.handle(.twoFingerTap, at: now)
        case 3: engine.handle(.zoom(value), at: now)
        case 4: engine.handle(.rotate(value), at: now)
        case 5: engine.handle(.tilt(value), at: now)
        default: break
        }
    }

    /// The camera that a hand has given the map.
    @_expose(wasm, "engine_moved")
    func engineMoved(_ lng: Double, _ lat: Double, _ zoom: Double, _ bearing: Double, _ pitch: Double) {
        if let camera = camera(lng, lat, zoom, bearing, pitch) { engine.moved(byHandTo: camera) }
    }

    // MARK: Pucks

    /// A place is kept for each number below the largest.
    private let mostPucks: Int32 = 65_536

    /// A fix of a puck; NaN: unknown.
    @_expose(wasm, "engine_fix")
    func engineFix(
        _ puck: Int32, _ lng: Double, _ lat: Double, _ accuracy: Double, _ course: Double, _ speed: Double,
        _ nextWithin: Double, _ now: Double
    ) -> Bool {
        guard let place = Coordinate(latitude: lat, longitude: lng), (0..<mostPucks).contains(puck) else {
            return false
        }
        let fix = PuckFix(
            coordinate: place, accuracy: accuracy, course: course, speed: speed, nextWithin: nextWithin)
        engine.moved(PuckID(puck), to: fix, at: now)
        return true
    }

    /// The heading of a puck's device; NaN: unknown.
    @_expose(wasm, "engine_heading") func engineHeading(_ puck: Int32, _ degrees: Double, _ now: Double) {
        engine.turned(PuckID(puck), to: degrees.known, at: now)
    }

    /// A puck is gone.
    @_expose(wasm, "engine_remove") func engineRemove(_ puck: Int32) { engine.removed(PuckID(puck)) }

    // MARK: The button

    /// What a reaction orders: 1 start, 2 stop the receiver, 4 show the help.
    private func orders(_ reaction: LocateMe.Reaction) -> Int32 {
        let source: Int32 = reaction.source == .start ? 1 : reaction.source == .stop ? 2 : 0
        return source | (reaction.explains ? 4 : 0)
    }

    private func reason(_ code: Int32) -> LocateMe.Reason {
        switch code {
        case 0: .unsupported
        case 1: .insecure
        case 2: .position
        default: .timeout
        }
    }

    /// A tap on it.
    @_expose(wasm, "locate_tap") func locateTap(_ now: Double) -> Int32 { orders(engine.tapped(at: now)) }

    /// A viewport that follows the user was set by other means.
    @_expose(wasm, "locate_followed") func locateFollowed(_ now: Double) -> Int32 {
        orders(engine.followed(at: now))
    }

    /// The user does not allow it.
    @_expose(wasm, "locate_denied") func locateDenied() -> Int32 { orders(engine.failed(.denied)) }

    /// There is no position for now: 2 it is not known, 3 nobody answers.
    @_expose(wasm, "locate_failed") func locateFailed(_ code: Int32) -> Int32 {
        orders(engine.failed(.unavailable(reason(code))))
    }

    /// There will be none: 0 unsupported, 1 insecure.
    @_expose(wasm, "locate_ruled_out") func locateRuledOut(_ code: Int32) { engine.ruledOut(reason(code)) }

    /// The user changed the permission.
    @_expose(wasm, "locate_permitted") func locatePermitted(_ isAllowed: Bool, _ now: Double) -> Int32 {
        orders(engine.permitted(isAllowed, at: now))
    }

    /// Nobody sees the map, or somebody does again.
    @_expose(wasm, "locate_seen") func locateSeen(_ isSeen: Bool, _ now: Double) -> Int32 {
        orders(engine.seen(isSeen, at: now))
    }

    /// About once a second.
    @_expose(wasm, "locate_tick") func locateTick(_ now: Double) -> Int32 { orders(engine.ticked(at: now)) }

    // MARK: From numbers

    private func camera(_ lng: Double, _ lat: Double, _ zoom: Double, _ bearing: Double, _ pitch: Double)
        -> Camera?
    {
        guard let center = Coordinate(latitude: lat, longitude: lng), zoom.isFinite, bearing.isFinite,
            (0...85).contains(pitch)
        else { return nil }
        return Camera(center: center, zoom: zoom, bearing: bearing, pitch: pitch)
    }

    private func size(_ width: Double, _ height: Double) -> ScreenSize? {
        let range = 0...ScreenSize.largest
        guard range.contains(width), range.contains(height) else { return nil }
        return ScreenSize(width: width, height: height)
    }

    /// 0 immediate, 1 linear, 2 ease in, 3 ease out, 4 ease in and out, 5 fly (NaN: as long as it takes), 6 default.
    private func transition(_ kind: Int32, _ seconds: Double) -> Transition? {
        if kind == 0 { return .immediate }
        if kind == 5, seconds.isNaN { return .fly() }
        guard seconds >= 0, seconds.isFinite else { return nil }
        switch kind {
        case 1: return .linear(duration: seconds)
        case 2: return .easeIn(duration: seconds)
        case 3: return .easeOut(duration: seconds)
        case 4: return .easeInOut(duration: seconds)
        case 5: return .fly(duration: seconds)
        case 6: return .default(maxDuration: seconds)
        default: return nil
        }
    }
#endif
