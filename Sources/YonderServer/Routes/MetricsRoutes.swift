import YonderFanout
import YonderHTTP

/// `/metrics`: for admins, and for everybody who reaches the admin listener
func metricsRoutes(
    _ metrics: Metrics, fanout: Fanout, table: ShareTable, access: Route.Access
) -> [Route] {
    [
        Route("GET", "/metrics", access: access) { _ in
            let page = MetricsPage(
                metrics.all, .init(webSockets: fanout.connectionCount, liveShares: table.count))
            return .response(
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
                    body: .bytes(Array(page.text.utf8))))
        }
    ]
}
