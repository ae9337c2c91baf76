import YonderHTTP
import YonderModel
import YonderRules

@testable import YonderServer

/// Requests of phone apps: the first line is the query, the rest the body, of every app.
///
/// Whatever comes, there is a record, and every fix could have come by the API as well.
func fuzzIngest(_ input: [UInt8]) throws(BrokenPromise) {
    let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
    let query = HTTPQuery(form: Array(input[..<end]))
    let body = Array(input[end...].dropFirst())
    for app in IngestApp.allCases {
        // What is in an encrypted message is read like the message itself.
        let read = app.read(query: query, body: body, open: { $0 })
        try check(!read.records.isEmpty, "a request of \(app) has a record")
        try check(app == .owntracks || !read.isEncrypted, "only OwnTracks encrypts")
        for report in read.fixes { try checkFix(report, of: app) }
        _ = app.keyParameter(query: query, body: body)
    }
    if let value = JSONValue(json: body) {
        try check(JSONValue(json: body) == value || body.isEmpty, "a text is read in one way")
    }
}

private func checkFix(_ report: FixReport, of app: IngestApp) throws(BrokenPromise) {
    let position = report.position
    let again: Position
    do {
        again = try Position(RawPosition(position), at: "")
    } catch {
        throw BrokenPromise(description: "a fix of \(app) is refused by the API: \(error)")
    }
    try check(again == position, "a fix of \(app) is what the API makes of it")
    let isNowhere = position.coordinate.latitude == 0 && position.coordinate.longitude == 0
    try check(!isNowhere || position.accuracy != nil, "0, 0 without an accuracy is no fix")
    try check(report.messageIds == nil && report.deviceId == nil, "an app names no share and no device")
    if let time = report.recordedAt {
        try check(Timestamp(rfc3339: time.rfc3339) == time, "a time of \(app) can be written")
    }
}
