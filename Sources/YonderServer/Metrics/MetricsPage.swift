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
        ingest(metrics.ingest)
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
        head(name, help, "counter")
        for (value, count) in values.sorted(by: { $0.key < $1.key }) {
            text += "\(name){\(label)=\"\(value)\"} \(count)\n"
        }
    }

    private mutating func ingest(_ records: [Metrics.Ingest: Int]) {
        let name = "yonder_ingest_records_total"
        head(name, "Records of phone apps, by app and what they were.", "counter")
        for (key, count) in records.sorted(by: {
            ($0.key.app.rawValue, $0.key.result) < ($1.key.app.rawValue, $1.key.result)
        }) {
            text += "\(name){app=\"\(key.app.rawValue)\",result=\"\(key.result)\"} \(count)\n"
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
