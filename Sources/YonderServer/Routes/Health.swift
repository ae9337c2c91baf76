import YonderHTTP
import YonderModel
import YonderStore

private struct Status: Encodable {
    let status = "ok"
}

/// `/healthz`: the process answers. `/readyz`: its store answers as well.
func healthRoutes(store: any Store) -> [Route] {
    [
        Route("GET", "/healthz", access: .everybody) { _ in .json(Status()) },
        Route("GET", "/readyz", access: .everybody) { _ in
            _ = try await store.commit { _ in }
            return .json(Status())
        },
    ]
}
