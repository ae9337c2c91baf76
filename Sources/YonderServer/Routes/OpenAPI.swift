import YonderHTTP

/// `/v1/openapi.json`: what the other routes take and give, for programs
///
/// The document is written by hand in `Resources/openapi.json`; tests hold it against the routes and against
/// what they answer.
func openAPIRoutes() -> [Route] {
    [
        Route("GET", "/v1/openapi.json", access: .everybody) { _ in
            .response(
                HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "application/json", "Cache-Control": "no-cache"],
                    body: .bytes(PackageResources.openapi_json)))
        }
    ]
}
