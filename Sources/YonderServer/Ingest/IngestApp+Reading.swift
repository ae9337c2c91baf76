package import YonderHTTP
import YonderModel

extension IngestApp {
    /// Reads a request of this app.
    ///
    /// - Parameters:
    ///   - query: Of its address.
    ///   - body: As it came.
    ///   - open: Decrypts what OwnTracks has encrypted; `nil` where that cannot be done.
    /// - Returns: At least one record.
    package func read(
        query: HTTPQuery, body: [UInt8], open: ([UInt8]) -> [UInt8]? = { _ in nil }
    ) -> IngestBody {
        switch self {
        case .owntracks: OwnTracks.read(body, open: open)
        case .overland: Overland.read(body)
        case .osmand: OsmAnd.read(query: query, body: body)
        case .gpslogger: GPSLogger.read(query: query, body: body)
        }
    }

    /// The ingest key that a request of this app carries as a parameter; `nil` where it has none, or where the
    /// app knows a header for it.
    func keyParameter(query: HTTPQuery, body: [UInt8]) -> String? {
        switch self {
        case .owntracks, .overland: nil
        case .osmand, .gpslogger:
            // Looked for before anybody knows who asks: in no more of a body than one record needs.
            AppParameters(query: query, body: []).key
                ?? AppParameters(query: HTTPQuery(), body: body.count <= 262_144 ? body : []).key
        }
    }
}
