import Synchronization
import YonderModel

/// What the server counts: numbers of things and how long they took, never whose or where.
final class Metrics: Sendable {
    /// A route and what became of the request: `PUT /v1/live-locations`, 200.
    struct Request: Hashable, Sendable {
        /// Method and pattern of the route, not the path that was asked for.
        var route: String
        var status: Int
    }

    /// An app's records, and what became of them: `owntracks`, `fix`.
    struct Ingest: Hashable, Sendable {
        var app: IngestApp
        /// `fix`, or why it is none.
        var result: String
    }

    /// Upper ends of the classes of time, in seconds.
    static let timeClasses: [Double] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5]

    struct Times: Sendable {
        /// How many took at most as long as each class says.
        var counts = [Int](repeating: 0, count: timeClasses.count)
        var total = 0
        var seconds = 0.0
    }

    struct Contents: Sendable {
        var requests: [Request: Times] = [:]
        var fixes: [String: Int] = [:]
        var endedShares: [String: Int] = [:]
        var ingest: [Ingest: Int] = [:]
    }

    private let contents = Mutex(Contents())

    /// All numbers as they are now.
    var all: Contents { contents.withLock { $0 } }

    func count(_ request: Request, took duration: Duration) {
        let seconds = duration / .seconds(1)
        contents.withLock { contents in
            contents.requests[request, default: Times()].add(seconds)
        }
    }

    func count(_ outcome: FixOutcome) {
        contents.withLock { contents in
            contents.fixes["applied", default: 0] += outcome.applied.count
            for skipped in outcome.skipped { contents.fixes[skipped.reason.rawValue, default: 0] += 1 }
        }
    }

    func count(_ records: [IngestRecord], of app: IngestApp) {
        contents.withLock { contents in
            for record in records {
                let result = record.refusal?.rawValue ?? "fix"
                contents.ingest[Ingest(app: app, result: result), default: 0] += 1
            }
        }
    }

    func countEnd(_ reason: EndedReason) {
        contents.withLock { $0.endedShares[reason.rawValue, default: 0] += 1 }
    }
}

extension Metrics.Times {
    mutating func add(_ seconds: Double) {
        total += 1
        self.seconds += seconds
        for (index, limit) in Metrics.timeClasses.enumerated() where seconds <= limit { counts[index] += 1 }
    }
}
