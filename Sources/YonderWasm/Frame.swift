#if hasFeature(Embedded)
    import YonderGeo
    import YonderViewport

    // A frame is a row of doubles at an address that stays until there is a puck more:
    //   0 longitude, 1 latitude, 2 zoom, 3 bearing, 4 pitch, 5 top, 6 right, 7 bottom, 8 left padding
    //   9 status: 0 idle, 1 idle by a hand, 2 state, 3 transition, 4 waiting
    //  10 viewport: 0 idle, 1 style default, 2 camera, 3 overview, 4 follow
    //  11 number of the followed puck, -1: none
    //  12 1: the next frame looks different without anything new
    //  13 button: 0 off, 1 waiting, 2 follow north, 3 follow heading, 4 free, 5 denied, 6 unsupported, 7 insecure,
    //     8 position unknown, 9 no answer
    //  14 1: the user's puck is stale
    //  15 number of pucks; then for each
    //   0 whether there is one, 1 longitude, 2 latitude, 3 accuracy, 4 course, 5 heading (-1: unknown), 6 1: stale,
    //   7 pixels of the accuracy's radius
    private let cameraCount = 16
    private let puckCount = 8
    private nonisolated(unsafe) var frame = UnsafeMutableBufferPointer<Double>.allocate(
        capacity: cameraCount + 8 * puckCount)

    /// Writes the frame of a moment and says where.
    @_expose(wasm, "engine_frame") func engineFrame(_ now: Double) -> UnsafeMutablePointer<Double>? {
        let camera = engine.frame(at: now)
        let count = engine.puckCount
        if frame.count < cameraCount + count * puckCount {
            frame.deallocate()
            frame = .allocate(capacity: cameraCount + 2 * count * puckCount)
        }
        frame[0] = camera.center.longitude
        frame[1] = camera.center.latitude
        frame[2] = camera.zoom
        frame[3] = camera.bearing
        frame[4] = camera.pitch
        frame[5] = camera.padding.top
        frame[6] = camera.padding.right
        frame[7] = camera.padding.bottom
        frame[8] = camera.padding.left
        writeStatus()
        frame[12] = engine.isMoving(at: now) ? 1 : 0
        frame[13] = buttonCode(engine.locateMeState)
        frame[14] = engine.isStale ? 1 : 0
        frame[15] = Double(count)
        for number in 0..<count {
            write(engine.drawn(PuckID(Int32(number))), camera, at: cameraCount + number * puckCount)
        }
        return frame.baseAddress
    }

    private func writeStatus() {
        let status = engine.viewport.status
        frame[9] =
            switch status {
            case .idle(.requested): 0
            case .idle(.userInteraction): 1
            case .state: 2
            case .transition: 3
            case .waiting: 4
            }
        frame[11] = -1
        switch status.viewport.kind {
        case .idle: frame[10] = 0
        case .styleDefault: frame[10] = 1
        case .camera: frame[10] = 2
        case .overview: frame[10] = 3
        case .followPuck(let follow):
            frame[10] = 4
            frame[11] = Double(follow.subject.number)
        }
    }

    private func buttonCode(_ state: LocateMe.State) -> Double {
        switch state {
        case .off: 0
        case .waiting: 1
        case .followNorth: 2
        case .followHeading: 3
        case .free: 4
        case .denied: 5
        case .unavailable(.unsupported): 6
        case .unavailable(.insecure): 7
        case .unavailable(.position): 8
        case .unavailable(.timeout): 9
        }
    }

    private func write(_ puck: DrawnPuck?, _ camera: Camera, at index: Int) {
        guard let puck else {
            frame[index] = 0
            return
        }
        frame[index] = 1
        frame[index + 1] = puck.coordinate.longitude
        frame[index + 2] = puck.coordinate.latitude
        frame[index + 3] = puck.accuracy ?? -1
        frame[index + 4] = puck.course ?? -1
        frame[index + 5] = puck.heading ?? -1
        frame[index + 6] = puck.isStale ? 1 : 0
        let metres = Mercator.metresPerPixel(latitude: puck.coordinate.latitude, zoom: camera.zoom)
        frame[index + 7] = (puck.accuracy ?? 0) / metres
    }
#endif
