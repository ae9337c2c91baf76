import YonderModel
import YonderRules
import YonderSecretBox
import YonderStore

/// Takes what phone apps send: every fix goes where any other fix goes.
struct IngestService: Sendable {
    let lives: LiveLocationService
    let safe: PassphraseSafe
    let metrics: Metrics
    let log: Log

    /// What opens a device's encrypted messages and seals the answers; `nil` where its passphrase is not known.
    func box(of device: FeedingDevice) -> SecretBox? { safe.open(device.sealedPassphrase) }

    /// Moves the shares that a device feeds, by all fixes of a request, the newest first.
    ///
    /// What is no fix is counted; what is wrong is in the log, too, by its kind.
    func take(_ body: IngestBody, from device: FeedingDevice, app: IngestApp) async throws {
        metrics.count(body.records, of: app)
        note(body, of: app)
        // All that say no time arrive at one moment, where only the last of them can be.
        let fixes = body.fixes
        let last = fixes.lastIndex { $0.recordedAt == nil }
        let reports = fixes.enumerated().filter { $1.recordedAt != nil || $0 == last }.map { _, report in
            var report = report
            report.deviceId = device.device
            return report
        }
        switch reports.count {
        case 0: break
        case 1: _ = try await lives.apply(reports[0], by: device.user)
        default: _ = try await lives.apply(FixBatch(reports), by: device.user)
        }
    }

    private func note(_ body: IngestBody, of app: IngestApp) {
        let wrong = Dictionary(grouping: body.records.compactMap(\.refusal).filter(\.isWrong)) { $0 }
        guard !wrong.isEmpty else { return }
        let words = wrong.map { "\($1.count) \($0.rawValue)" }.sorted().joined(separator: ", ")
        log.info("ingest by \(app.rawValue): \(words) of \(body.records.count)")
    }
}
