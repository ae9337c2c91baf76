#if hasFeature(Embedded)
    import ViewportProofs
    import YonderGeo
    import YonderViewport

    // The functions that the computed vectors are about, for vectors.mjs. Numbers go in and out through one row.
    private nonisolated(unsafe) let row = UnsafeMutableBufferPointer<Double>.allocate(capacity: 32)

    /// The address of the row.
    @_expose(wasm, "row_address") func rowAddress() -> UnsafeMutablePointer<Double>? { row.baseAddress }

    private func place(_ index: Int) -> Coordinate {
        Coordinate(latitude: row[index + 1], longitude: row[index])!
    }

    private func answer(_ place: Coordinate, at index: Int = 0) {
        (row[index], row[index + 1]) = (place.longitude, place.latitude)
    }

    /// The shorter turn.
    @_expose(wasm, "vector_turn") func vectorTurn(_ from: Double, _ to: Double) -> Double {
        Bearing.delta(from: from, to: to)
    }

    /// A longitude on the way to another one.
    @_expose(wasm, "vector_longitude")
    func vectorLongitude(_ from: Double, _ to: Double, _ fraction: Double) -> Double {
        let start = Coordinate(latitude: 0, longitude: from)!
        return start.interpolated(to: Coordinate(latitude: 0, longitude: to)!, fraction: fraction).longitude
    }

    /// Longitude and latitude become x and y.
    @_expose(wasm, "vector_project") func vectorProject() {
        let point = place(0).worldPoint
        (row[0], row[1]) = (point.x, point.y)
    }

    /// Metres that a pixel is wide.
    @_expose(wasm, "vector_scale") func vectorScale(_ latitude: Double, _ zoom: Double) -> Double {
        Mercator.metresPerPixel(latitude: latitude, zoom: zoom)
    }

    /// Two places become haversine and geodesic distance, spherical bearing, and both of the geodesic.
    @_expose(wasm, "vector_distance") func vectorDistance() {
        let (a, b) = (place(0), place(2))
        let line = a.geodesic(to: b)
        (row[0], row[1]) = (a.distance(to: b), line.distance)
        (row[2], row[3], row[4]) = (a.initialBearing(to: b), line.initialBearing, line.finalBearing)
    }

    /// Place, bearing and metres become the destinations on the sphere and on the ellipsoid.
    @_expose(wasm, "vector_destination") func vectorDestination() {
        let (start, bearing, metres) = (place(0), row[2], row[3])
        answer(start.destination(bearing: bearing, distance: metres))
        answer(start.geodesicDestination(bearing: bearing, distance: metres), at: 2)
    }

    /// Two places and seconds become a speed.
    @_expose(wasm, "vector_speed") func vectorSpeed() {
        row[0] = place(0).impliedSpeed(to: place(2), seconds: row[4]) ?? .nan
    }

    /// A timing function by its control points.
    @_expose(wasm, "vector_easing")
    func vectorEasing(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ time: Double) -> Double {
        Easing(x1, y1, x2, y2)(time)
    }

    /// Distance, both zooms, screenful, curve, lowest zoom, part become ρ, length, zoom and how far across.
    @_expose(wasm, "vector_flight") func vectorFlight() {
        let path = FlyPath(
            distance: row[0], startZoom: row[1], endZoom: row[2], screenful: row[3], curve: row[4],
            minZoom: row[5])
        let at = path.at(row[6])
        (row[0], row[1], row[2], row[3]) = (path.rho, path.length, at.zoom, at.crossed)
    }

    /// Start (center, zoom, bearing, pitch), end, size and seconds become the camera after so many of them, by a flight.
    @_expose(wasm, "vector_fly") func vectorFly(_ seconds: Double, _ now: Double) {
        let start = Camera(center: place(0), zoom: row[2], bearing: row[3], pitch: row[4])
        let end = Viewport.camera(center: place(5), zoom: row[7], bearing: row[8], pitch: row[9])
        var machine = ViewportMachine(camera: start, size: ScreenSize(width: row[10], height: row[11]))
        machine.set(end, by: .fly(duration: seconds), at: 0, puck: nil)
        let camera = machine.advance(to: now, puck: nil)
        answer(camera.center)
        (row[2], row[3], row[4]) = (camera.zoom, camera.bearing, camera.pitch)
    }

    /// Box, size, both paddings, bearing, largest zoom and offset become center, zoom and bearing.
    @_expose(wasm, "vector_fit") func vectorFit() -> Bool {
        let box = CoordinateBounds(west: row[0], south: row[1], east: row[2], north: row[3])!
        let map = Padding(top: row[6], right: row[7], bottom: row[8], left: row[9])
        let own = Padding(top: row[10], right: row[11], bottom: row[12], left: row[13])
        guard
            let camera = Camera.fitting(
                .bounds(box), in: ScreenSize(width: row[4], height: row[5]), padding: map,
                geometryPadding: own,
                bearing: row[14], maxZoom: row[15].isNaN ? nil : row[15],
                offset: ScreenPoint(x: row[16], y: row[17]))
        else { return false }
        answer(camera.center)
        (row[2], row[3]) = (camera.zoom, camera.bearing)
        return true
    }

    /// The heading that a puck is drawn with, so many seconds after it was told to turn.
    @_expose(wasm, "vector_heading")
    func vectorHeading(_ from: Double, _ to: Double, _ seconds: Double) -> Double {
        var puck = PuckMotion(PuckFix(coordinate: Coordinate(latitude: 0, longitude: 0)!), at: 0)
        puck.turn(to: from, at: 0)
        puck.turn(to: to, at: 5)
        return puck.drawn(at: 5 + seconds).heading ?? .nan
    }

    /// Size and padding become the middle.
    @_expose(wasm, "vector_focus") func vectorFocus() {
        let focus = Padding(top: row[2], right: row[3], bottom: row[4], left: row[5])
            .focus(in: ScreenSize(width: row[0], height: row[1]))
        (row[0], row[1]) = (focus.x, focus.y)
    }

    /// One number of a kind from a seed, see `Sample`.
    @_expose(wasm, "sample") func sample(_ kind: Int32, _ seed: UInt32) -> Double {
        Sample.all[Int(kind)].value(seed: UInt64(seed))
    }

    /// The columns of the privacy grid's bands, folded into one number.
    @_expose(wasm, "grid_digest") func gridDigest() -> Double { Sample.gridDigest }
#endif
