import YonderGeo

/// Places and paths as text: `geo:` URIs and encoded polylines.
func fuzzPlace(_ input: [UInt8]) throws(BrokenPromise) {
    let text = String(decoding: input, as: UTF8.self)
    if let uri = GeoURI(text) {
        try check(uri.uncertainty.map { $0 >= 0 && $0.isFinite } ?? true, "an uncertainty is no less than 0")
        try check(uri.altitude?.isFinite ?? true, "an altitude is a number")
        let again = GeoURI(uri.text)
        try check(again != nil, "what is written is read again")
        try check(
            again.map { $0.coordinate.distance(to: uri.coordinate) < 0.001 } ?? false, "at the same place")
        try check(again.flatMap { GeoURI($0.text) } == again, "and then as it was")
    }
    for digits in [5, 6] {
        guard let places = Polyline.decode(text, digits: digits) else { continue }
        try check(places.count * 2 <= input.count, "a place takes two bytes at least")
        try check(
            Polyline.decode(Polyline.encode(places, digits: digits), digits: digits) == places,
            "what was read is written as it is")
    }
}
