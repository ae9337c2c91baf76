import YonderHTTP
import YonderMap
import YonderModel

/// `/map` and `/tiles`: the base map
func mapRoutes(_ library: MapLibrary) -> [Route] {
    let style = MapStyle(library: library)
    let styles = MapStyle.Appearance.allCases.map { appearance in
        let json = style.json(appearance)
        return Route("GET", "/map/style-\(appearance.rawValue).json", access: .everybody) { _ in
            .response(
                HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "application/json", "Cache-Control": "no-cache"],
                    body: .bytes(json)))
        }
    }
    return styles + [
        Route("GET", "/tiles/{map}/{z}/{x}/{file}", access: .everybody) { request in
            try tile(request, in: library)
        }
    ]
}

/// One vector tile: compressed as it is stored where the client takes that. 204 where the map has none.
private func tile(_ request: RouteRequest, in library: MapLibrary) throws -> HTTPReply {
    let parameters = request.parameters
    guard let archive = library[parameters["map"] ?? ""], let file = parameters["file"],
        file.hasSuffix(".mvt"), let z = parameters["z"].flatMap(Int.init),
        let x = parameters["x"].flatMap(Int.init), let y = Int(file.dropLast(".mvt".count))
    else { throw WireError(.notFound, "there is no such map") }
    var response = HTTPResponse(
        status: 200,
        headers: ["Content-Type": "application/vnd.mapbox-vector-tile", "Cache-Control": "max-age=86400"])
    let takesGzip = request.request.headers["Accept-Encoding"]?.contains("gzip") == true
    let isStoredAsGzip = archive.tileCompression == .gzip
    let bytes =
        takesGzip && isStoredAsGzip
        ? try archive.tile(z: z, x: x, y: y) : try archive.plainTile(z: z, x: x, y: y)
    guard let bytes else {
        response.status = 204
        return .response(response)
    }
    if isStoredAsGzip { response.headers["Vary"] = "Accept-Encoding" }
    if takesGzip && isStoredAsGzip { response.headers["Content-Encoding"] = "gzip" }
    response.body = .bytes(bytes)
    return .response(response)
}
