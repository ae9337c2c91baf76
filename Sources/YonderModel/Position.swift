/// Where something is and what its sender said of it, checked: every value
/// finite, in its range, and `nil` where the sender does not know it.
public struct Position: Hashable, Sendable {
    /// The place, WGS 84.
    public var coordinate: Coordinate
    /// Radius of uncertainty in metres, > 0, as the device reports it.
    public var accuracy: Double?
    /// Metres above mean sea level; may be negative.
    public var altitude: Double?
    /// Metres, > 0.
    public var altitudeAccuracy: Double?
    /// Degrees clockwise from true north, in 0..<360.
    public var heading: Double?
    /// Metres a second, ≥ 0.
    public var speed: Double?
    /// Charge of the device's battery, in 0...1.
    public var battery: Double?
    /// Seconds within which the sender means to report again, > 0.
    public var nextWithin: Double?

    /// Creates a position of which only the place is known.
    public init(coordinate: Coordinate) { self.coordinate = coordinate }
}

extension Position {
    /// Checks what came over the wire.
    ///
    /// A negative accuracy, speed, heading or battery and an accuracy of 0 mean
    /// unknown and are dropped; a heading of 360 is 0.
    ///
    /// - Parameters:
    ///   - raw: The values as sent.
    ///   - pointer: JSON pointer of the object they stand in: `""` or `"/shared_location"`.
    /// - Throws: `WireError` with code `.invalidArgument` naming the first wrong field.
    package init(_ raw: RawPosition, at pointer: String) throws(WireError) {
        func wrong(_ field: String, _ detail: String) -> WireError {
            WireError(.invalidArgument, detail, field: "\(pointer)/\(field)")
        }
        guard let latitude = raw.latitude else { throw wrong("latitude", "latitude is required") }
        guard let longitude = raw.longitude else {
            throw wrong("longitude", "longitude is required")
        }
        guard Coordinate.isLatitude(latitude) else {
            throw wrong("latitude", "latitude must be a number in -90...90")
        }
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw wrong("longitude", "longitude must be a number in -180...180")
        }
        func known(
            _ value: Double?, _ field: String, above low: Double? = nil, from least: Double? = nil,
            upTo high: Double? = nil
        ) throws(WireError) -> Double? {
            guard let value else { return nil }
            guard value.isFinite, value <= high ?? .infinity else {
                throw wrong(field, "\(field) is out of range")
            }
            if let low, value <= low { return nil }
            if let least, value < least { return nil }
            return value
        }
        self.init(coordinate: coordinate)
        accuracy = try known(raw.accuracy, "accuracy", above: 0)
        altitude = try known(raw.altitude, "altitude")
        altitudeAccuracy = try known(raw.altitudeAccuracy, "altitude_accuracy", above: 0)
        heading = try known(raw.heading, "heading", from: 0, upTo: 360).map { $0 == 360 ? 0 : $0 }
        speed = try known(raw.speed, "speed", from: 0)
        battery = try known(raw.battery, "battery", from: 0, upTo: 1)
        nextWithin = try known(raw.nextWithin, "next_within", above: 0)
    }
}

/// The position keys of a JSON object as they were sent, unchecked; `nil` = absent or null.
package struct RawPosition: Hashable, Sendable {
    package var latitude: Double?
    package var longitude: Double?
    package var accuracy: Double?
    package var altitude: Double?
    package var altitudeAccuracy: Double?
    package var heading: Double?
    package var speed: Double?
    package var battery: Double?
    package var nextWithin: Double?

    package init() {}
}

/// The wire's keys of a position.
package enum PositionKey: String, CodingKey, CaseIterable {
    case latitude, longitude, accuracy, altitude, heading, speed, battery
    case altitudeAccuracy = "altitude_accuracy"
    case nextWithin = "next_within"

    package var path: WritableKeyPath<RawPosition, Double?> {
        switch self {
        case .latitude: \.latitude
        case .longitude: \.longitude
        case .accuracy: \.accuracy
        case .altitude: \.altitude
        case .altitudeAccuracy: \.altitudeAccuracy
        case .heading: \.heading
        case .speed: \.speed
        case .battery: \.battery
        case .nextWithin: \.nextWithin
        }
    }
}

extension RawPosition: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PositionKey.self)
        self.init()
        for key in PositionKey.allCases {
            self[keyPath: key.path] = try container.decodeIfPresent(Double.self, forKey: key)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PositionKey.self)
        for key in PositionKey.allCases {
            try container.encodeIfPresent(self[keyPath: key.path], forKey: key)
        }
    }
}

extension Position: Encodable {
    public func encode(to encoder: any Encoder) throws { try RawPosition(self).encode(to: encoder) }
}

extension Position: Decodable {
    public init(from decoder: any Decoder) throws {
        do {
            self = try Position(RawPosition(from: decoder), at: "")
        } catch let error as WireError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.detail))
        }
    }
}

extension RawPosition {
    /// The values of a checked position.
    package init(_ position: Position) {
        latitude = position.coordinate.latitude
        longitude = position.coordinate.longitude
        accuracy = position.accuracy
        altitude = position.altitude
        altitudeAccuracy = position.altitudeAccuracy
        heading = position.heading
        speed = position.speed
        battery = position.battery
        nextWithin = position.nextWithin
    }
}
