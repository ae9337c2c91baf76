import YonderHTTP
import YonderModel

/// `/v1/messages/{id}/trail`
func trailRoutes(_ trails: TrailService, _ lane: SlowLane) -> [Route] {
    [
        Route("GET", "/v1/messages/{id}/trail", rate: .trails) { request in
            let id = try request.id(MessageId.self, "id")
            let format = try request.queryWord("format", of: TrailFormat.self) ?? .geojson
            let tolerance = try request.queryMetres("simplify")
            let caller = request.caller
            let body = try await lane.run {
                let points = try trails.trail(of: id, simplifiedBy: tolerance, for: caller)
                return switch format {
                case .geojson: WireJSON.encode(TrailGeoJSON(points, of: id))
                case .gpx: TrailGPX(points: points, message: id).bytes
                }
            }
            return .response(
                HTTPResponse(status: 200, headers: ["Content-Type": format.type], body: .bytes(body)))
        }
    ]
}

private enum TrailFormat: String, CaseIterable {
    case geojson, gpx

    var type: String {
        switch self {
        case .geojson: "application/geo+json"
        case .gpx: "application/gpx+xml"
        }
    }
}

extension RouteRequest {
    /// A length in the query, in metres, > 0 and at most 100 km; `nil` where there is none.
    fileprivate func queryMetres(_ name: String) throws(WireError) -> Double? {
        guard let text = request.query[name] else { return nil }
        guard let metres = Double(text), metres > 0, metres <= 100_000 else {
            throw WireError(
                .invalidArgument, "must be a number of metres above 0, at most 100000", field: "?\(name)")
        }
        return metres
    }
}
