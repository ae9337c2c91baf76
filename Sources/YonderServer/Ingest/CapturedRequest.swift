package import YonderHTTP
import YonderModel

/// A request of an app as somebody has written it down: with its first line and its fields, or its body alone.
package struct CapturedRequest: Sendable {
    /// `nil` where it is a body alone.
    package let method: String?
    /// The app by its address, or by what its body looks like; `nil` = it cannot be told.
    package let app: IngestApp?
    package let query: HTTPQuery
    package let body: [UInt8]
    private let hasAuthorization: Bool

    /// - Parameter bytes: The request; lines may end with or without a carriage return.
    package init(_ bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        let lineEnd = bytes.firstIndex(of: newline) ?? bytes.endIndex
        let words = String(decoding: bytes[..<lineEnd], as: UTF8.self).split { $0.isWhitespace }
        guard words.count >= 2, words[1].hasPrefix("/") || words[1].contains("://"),
            words.count == 2 || words[2].hasPrefix("HTTP/")
        else {
            (method, query, body, hasAuthorization) = (nil, HTTPQuery(), bytes, false)
            app = Self.app(of: bytes)
            return
        }
        method = String(words[0])
        let target = words[1].split(separator: "?", maxSplits: 1)
        query = HTTPQuery(form: target.count > 1 ? Array(target[1].utf8) : [])
        app = IngestApp.allCases.first { target[0].hasSuffix("/ingest/\($0.rawValue)") }
        var rest = bytes[lineEnd...].dropFirst()
        var hasAuthorization = false
        while !rest.isEmpty {
            let end = rest.firstIndex(of: newline) ?? rest.endIndex
            let line = String(decoding: rest[..<end], as: UTF8.self).filter { $0 != "\r" }
            rest = rest[end...].dropFirst()
            if line.isEmpty { break }
            if line.lowercased().hasPrefix("authorization:") { hasAuthorization = true }
        }
        self.hasAuthorization = hasAuthorization
        body = Array(rest)
    }

    /// Whether it carries something to be known by.
    package func hasKey(as app: IngestApp) -> Bool {
        hasAuthorization || app.keyParameter(query: query, body: body) != nil
    }

    private static func app(of body: [UInt8]) -> IngestApp? {
        guard let json = JSONValue(json: body) else { return nil }
        if json["_type"] != nil { return .owntracks }
        if json["locations"] != nil { return .overland }
        return json["location"] != nil ? .osmand : nil
    }
}
