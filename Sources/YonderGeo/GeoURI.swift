/// A place as a `geo:` URI (RFC 5870), which maps of many makers open.
public struct GeoURI: Hashable, Sendable {
    /// Where.
    public let coordinate: Coordinate
    /// Metres above the WGS 84 ellipsoid; `nil`: not said.
    public let altitude: Double?
    /// Metres that it may be wrong by, ≥ 0; `nil`: not said.
    public let uncertainty: Double?

    /// Creates a URI; numbers that are not finite, or an uncertainty below 0, count as not said. -180 is said as 180,
    /// and at a pole the longitude is 0.
    public init(_ coordinate: Coordinate, altitude: Double? = nil, uncertainty: Double? = nil) {
        let isPole = abs(coordinate.latitude) == 90
        let longitude = isPole ? 0 : coordinate.longitude == -180 ? 180 : coordinate.longitude
        self.coordinate = Coordinate(latitude: coordinate.latitude, longitude: longitude) ?? coordinate
        self.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
        self.uncertainty = uncertainty.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    /// The URI: degrees to nine digits, metres to three; no exponent, no `+`.
    public var text: String {
        var text = "geo:"
        text += DecimalText.write(coordinate.latitude, digits: 9) + ","
        text += DecimalText.write(coordinate.longitude, digits: 9)
        if let altitude { text += "," + DecimalText.write(altitude, digits: 3) }
        if let uncertainty { text += ";u=" + DecimalText.write(uncertainty, digits: 3) }
        return text
    }

    /// Reads a URI.
    ///
    /// Also what Android's apps send: `geo:0,0?q=lat,lon(label)`, and `?z=`, which is left out.
    ///
    /// - Returns: `nil` where it is none, or of another coordinate reference system than WGS 84.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 4, Self.lowercased(bytes[0..<4]) == Array("geo:".utf8) else { return nil }
        let parts = bytes[4...].split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let place = Self.place(path[0]) else { return nil }
        var uncertainty: Double?
        for parameter in path.dropFirst() {
            let pair = parameter.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.lowercased(pair[0])
            if name == Array("crs".utf8) {
                guard pair.count == 2, Self.lowercased(pair[1]) == Array("wgs84".utf8) else { return nil }
            } else if name == Array("u".utf8) {
                guard pair.count == 2, let metres = DecimalText.read(pair[1]), metres >= 0 else { return nil }
                uncertainty = metres
            }
        }
        let asked = parts.count == 2 ? Self.query(parts[1]) : nil
        self.init(asked ?? place.0, altitude: asked == nil ? place.1 : nil, uncertainty: uncertainty)
    }

    /// `lat,lon` or `lat,lon,alt`.
    private static func place(_ bytes: ArraySlice<UInt8>) -> (Coordinate, Double?)? {
        let numbers = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard numbers.count == 2 || numbers.count == 3, let latitude = DecimalText.read(numbers[0]),
            let longitude = DecimalText.read(numbers[1]),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        guard numbers.count == 3 else { return (coordinate, nil) }
        guard let altitude = DecimalText.read(numbers[2]) else { return nil }
        return (coordinate, altitude)
    }

    /// The place of a `q=lat,lon` or `q=lat,lon(label)`; `nil`: there is none.
    private static func query(_ bytes: ArraySlice<UInt8>) -> Coordinate? {
        for pair in bytes.split(separator: UInt8(ascii: "&")) where pair.starts(with: "q=".utf8) {
            let value = pair.dropFirst(2).prefix { $0 != UInt8(ascii: "(") }
            if let place = place(unescaped(value)[...]) { return place.0 }
        }
        return nil
    }

    /// A comma, a sign or a bracket may come as `%2C`.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hex),
                let low = rest.dropFirst().first.flatMap(hex)
            {
                plain.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                plain.append(byte)
            }
        }
        if let label = plain.firstIndex(of: UInt8(ascii: "(")) { plain.removeSubrange(label...) }
        return plain
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 }
    }
}
