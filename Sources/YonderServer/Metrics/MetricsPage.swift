import Foundation

/// The numbers as Prometheus reads them (text format 0.0.4).
struct MetricsPage {
    /// What is counted elsewhere, as it is at this moment.
    struct Gauges: Sendable {
        var webSockets: Int
        var liveShares: Int
    }

    private(set) var text = ""

    init(_ metrics: Metrics.Contents, _ gauges: Gauges) {
        gauge("yonder_websockets", "WebSockets that are open.", gauges.webSockets)
        gauge("yonder_live_shares", "Live shares that nothing has ended yet.", gauges.liveShares)
        gauge("process_resident_memory_bytes", "Memory in use.", Self.residentBytes)
        counter(
            "yonder_fixes_total", "Fixes by what became of them, share by share.", "result", metrics.fixes)
        counter("yonder_ended_shares_total", "Shares that ended, by reason.", "reason", metrics.endedShares)
        counter(
            "yonder_ingest_records_total", "Records of phone apps, by app and what they were.",
            metrics.ingest.map { ("app=\"\($0.app.rawValue)\",result=\"\($0.result)\"", $1) })
        requests(metrics.requests)
    }

    private mutating func head(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        head(name, help, "gauge")
        text += "\(name) \(value)\n"
    }

    private mutating func counter(_ name: String, _ help: String, _ label: String, _ values: [String: Int]) {
        counter(name, help, values.map { ("\(label)=\"\($0)\"", $1) })
    }

    private mutating func counter(_ name: String, _ help: String, _ samples: [(labels: String, count: Int)]) {
        head(name, help, "counter")
        for (labels, count) in samples.sorted(by: { $0.labels < $1.labels }) {
            text += "\(name){\(labels)} \(count)\n"
        }
    }

    private mutating func requests(_ requests: [Metrics.Request: Metrics.Times]) {
        let name = "yonder_request_seconds"
        head(name, "Time from a whole request to its answer, by route and status.", "histogram")
        for (request, times) in requests.sorted(by: {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }) {
            let labels = "route=\"\(request.route)\",status=\"\(request.status)\""
            for (limit, count) in zip(Metrics.timeClasses, times.counts) {
                text += "\(name)_bucket{\(labels),le=\"\(limit)\"} \(count)\n"
            }
            text += "\(name)_bucket{\(labels),le=\"+Inf\"} \(times.total)\n"
            text += "\(name)_sum{\(labels)} \(times.seconds)\n\(name)_count{\(labels)} \(times.total)\n"
        }
    }

    /// From `/proc`; 0 where there is none.
    private static var residentBytes: Int {
        guard
            let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
                .split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
