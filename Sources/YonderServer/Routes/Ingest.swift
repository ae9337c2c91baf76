import Foundation
import YonderHTTP
import YonderModel
import YonderSecretBox

/// `/v1/devices/{id}/ingest-key`
func ingestKeyRoutes(_ keys: IngestKeyService) -> [Route] {
    [
        Route("POST", "/v1/devices/{id}/ingest-key") { request in
            let id = try request.id(DeviceId.self, "id")
            return .json(try await keys.make(for: id, of: request.caller), status: 201)
        },
        Route("DELETE", "/v1/devices/{id}/ingest-key") { request in
            try await keys.revoke(of: try request.id(DeviceId.self, "id"), of: request.caller)
            return .noContent
        },
    ]
}

/// `/ingest`: each app is answered as it wants to be
func ingestRoutes(_ ingest: IngestService, _ friends: OwnTracksFriends) -> [Route] {
    [
        ingestRoute("POST", .owntracks) { request in
            let body = IngestApp.owntracks.read(
                query: request.request.query, body: request.bytes,
                open: { ingest.box(of: request.device)?.open($0) })
            try await ingest.take(body, from: request.device, app: .owntracks)
            let answer = body.fixes.isEmpty ? Array("[]".utf8) : try await friends.answer(to: request.device)
            guard body.isEncrypted, let box = ingest.box(of: request.device) else { return .json(answer) }
            return .json(EncryptedAnswer(data: Data(box.seal(answer)).base64EncodedString()))
        },
        ingestRoute("POST", .overland) { request in
            try await take(request, .overland, ingest)
            return .json(Array(#"{"result":"ok"}"#.utf8))
        },
    ] + ["GET", "POST"].map { emptyAnswerRoute($0, .osmand, ingest) }
        + ["GET", "POST", "PUT"].map { emptyAnswerRoute($0, .gpslogger, ingest) }
}

/// An answer of OwnTracks' that only the app can read.
private struct EncryptedAnswer: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case data
    }

    let type = "encrypted"
    var data: String
}

private func ingestRoute(_ method: String, _ app: IngestApp, _ handler: @escaping Route.Handler) -> Route {
    Route(
        method, "/ingest/\(app.rawValue)", access: .devices(app), bodyLimit: 1_048_576, rate: .locations,
        handler)
}

/// An app to which the status is enough.
private func emptyAnswerRoute(_ method: String, _ app: IngestApp, _ ingest: IngestService) -> Route {
    ingestRoute(method, app) { request in
        try await take(request, app, ingest)
        return .response(HTTPResponse(status: 200))
    }
}

private func take(_ request: RouteRequest, _ app: IngestApp, _ ingest: IngestService) async throws {
    let body = app.read(query: request.request.query, body: request.bytes)
    try await ingest.take(body, from: request.device, app: app)
}
