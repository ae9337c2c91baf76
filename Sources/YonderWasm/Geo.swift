#if hasFeature(Embedded)
    import YonderGeo

    // Degrees and metres; NaN where a place is none.

    /// The great-circle distance.
    @_expose(wasm, "geo_distance")
    func geoDistance(_ lng1: Double, _ lat1: Double, _ lng2: Double, _ lat2: Double) -> Double {
        guard let a = Coordinate(latitude: lat1, longitude: lng1),
            let b = Coordinate(latitude: lat2, longitude: lng2)
        else { return .nan }
        return a.distance(to: b)
    }

    /// The direction in which a great circle leaves the first place for the second.
    @_expose(wasm, "geo_bearing")
    func geoBearing(_ lng1: Double, _ lat1: Double, _ lng2: Double, _ lat2: Double) -> Double {
        guard let a = Coordinate(latitude: lat1, longitude: lng1),
            let b = Coordinate(latitude: lat2, longitude: lng2)
        else { return .nan }
        return a.initialBearing(to: b)
    }

    /// The shorter turn from one direction, or longitude, to another.
    @_expose(wasm, "geo_turn") func geoTurn(_ from: Double, _ to: Double) -> Double {
        (from + to).isFinite ? Bearing.delta(from: from, to: to) : .nan
    }

    /// Metres that a pixel is wide.
    @_expose(wasm, "geo_metres_per_pixel") func geoMetresPerPixel(_ lat: Double, _ zoom: Double) -> Double {
        Mercator.metresPerPixel(latitude: lat, zoom: zoom)
    }

    /// Writes the place on the square map, x and y in 0...1, into the scratch.
    @_expose(wasm, "geo_project") func geoProject(_ lng: Double, _ lat: Double) -> Bool {
        guard let place = Coordinate(latitude: lat, longitude: lng) else { return false }
        (scratch[0], scratch[1]) = (place.worldPoint.x, place.worldPoint.y)
        return true
    }

    /// Writes the middle of a place's cell of the privacy grid (longitude, latitude) and its radius into the scratch.
    @_expose(wasm, "geo_cell") func geoCell(_ lng: Double, _ lat: Double) -> Bool {
        guard let place = Coordinate(latitude: lat, longitude: lng) else { return false }
        let cell = PrivacyGrid.Cell(containing: place)
        (scratch[0], scratch[1], scratch[2]) = (cell.center.longitude, cell.center.latitude, cell.radius)
        return true
    }
#endif
