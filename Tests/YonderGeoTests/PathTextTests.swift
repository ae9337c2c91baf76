import Testing
import YonderGeo
import YonderTestSupport

struct PolylineTests {
    /// The example of the algorithm's own description.
    private static let example = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
        .compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }

    @Test func `the well-known example is written and read`() {
        #expect(Polyline.encode(Self.example) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(Polyline.decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@") == Self.example)
        #expect(Polyline.decode("") == [])
    }

    @Test(arguments: [5, 6]) func `what is written is read again`(_ digits: Int) throws {
        var random = SplitMix(seed: 5)
        for _ in 0..<300 {
            let places = (0..<20).compactMap { _ in
                Coordinate(
                    latitude: Double.random(in: -90...90, using: &random),
                    longitude: Double.random(in: -180...180, using: &random))
            }
            let again = try #require(Polyline.decode(Polyline.encode(places, digits: digits), digits: digits))
            #expect(again.count == places.count)
            let tolerance = digits == 5 ? 0.500_1e-5 : 0.500_1e-6
            for (a, b) in zip(places, again) {
                #expect(
                    abs(a.latitude - b.latitude) <= tolerance && abs(a.longitude - b.longitude) <= tolerance)
            }
        }
    }

    @Test(arguments: ["_p~iF", "_p~iF~ps|", "\u{7F}\u{7F}", "   ", "~~~~~~~~~~~~~~~~~", "_p~iF~ps|U_", "ä"])
    func `rubbish is no path`(_ text: String) {
        #expect(Polyline.decode(text) == nil)
    }
}

struct GeoURITests {
    @Test(
        arguments: [
            ("geo:60.1699,24.9384", 60.1699, 24.9384, nil, nil), ("GEO:-1.5,2", -1.5, 2, nil, nil),
            ("geo:1,2,3.5;u=40", 1, 2, 3.5, 40), ("geo:1,2;crs=WGS84;u=0;x=y", 1, 2, nil, 0),
            ("geo:0,0?q=60.1,24.9(Caf%C3%A9)", 60.1, 24.9, nil, nil),
            ("geo:0,0?z=3&q=1%2C-2", 1, -2, nil, nil),
            ("geo:5,6?z=11", 5, 6, nil, nil), ("geo:90,123", 90, 0, nil, nil),
            ("geo:1,-180", 1, 180, nil, nil),
            ("geo:0,0?q=a+street", 0, 0, nil, nil),
        ] as [(String, Double, Double, Double?, Double?)])
    func `what maps send is read`(
        _ text: String, _ latitude: Double, _ longitude: Double, _ altitude: Double?, _ uncertainty: Double?
    ) throws {
        let uri = try #require(GeoURI(text))
        #expect(uri.coordinate == Coordinate(latitude: latitude, longitude: longitude))
        #expect(uri.altitude == altitude && uri.uncertainty == uncertainty)
    }

    @Test(
        arguments: [
            "", "geo", "geo:", "geo:1", "geo:1,", "geo:,1", "geo:91,0", "geo:0,181", "geo:1,2;crs=epsg27700",
            "geo:1,2;u=-1", "geo:1,2;u", "geo:+1,2", "geo:1e1,2", "geo:1.,2", "geo:.5,2", "geo:nan,2",
            "geo:1,2,3,4",
            "http:1,2", "geo: 1,2", "geo:--1,2",
        ])
    func `what is no place is refused`(_ text: String) { #expect(GeoURI(text) == nil) }

    @Test(
        arguments: [
            (0.000_01, -0.000_000_1, "geo:0.00001,-0.0000001"), (60.1699, 24.9384, "geo:60.1699,24.9384"),
            (-90, 55, "geo:-90,0"), (0, -180, "geo:0,180"), (-0.0, 0, "geo:0,0"), (10, 100, "geo:10,100"),
        ] as [(Double, Double, String)])
    func `numbers are written plainly`(_ latitude: Double, _ longitude: Double, _ text: String) throws {
        #expect(GeoURI(try #require(Coordinate(latitude: latitude, longitude: longitude))).text == text)
    }

    @Test func `what is written is read again`() throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<2_000 {
            let place = try #require(
                Coordinate(
                    latitude: Double.random(in: -90...90, using: &random),
                    longitude: Double.random(in: -180...180, using: &random)))
            let uri = GeoURI(
                place, altitude: Double.random(in: -400...9_000, using: &random),
                uncertainty: Double.random(in: 0...5_000, using: &random))
            let again = try #require(GeoURI(uri.text))
            #expect(again.coordinate.distance(to: place) < 1e-3)
            #expect(abs((again.altitude ?? .nan) - (uri.altitude ?? .nan)) <= 0.000_51)
            #expect(abs((again.uncertainty ?? .nan) - (uri.uncertainty ?? .nan)) <= 0.000_51)
            #expect(GeoURI(again.text) == again)
        }
    }
}
