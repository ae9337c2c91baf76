import Foundation
import YonderCrypto
import YonderHTTP
import YonderModel

/// Where the page's own files and those of its libraries lie.
package struct PageFiles: Sendable {
    /// The folder with `index.html`; served at `/` and `/assets/`.
    package var web: String
    /// The folder with MapLibre GL JS; served at `/assets/vendor/`.
    package var vendor: String

    package init(web: String, vendor: String) {
        self.web = web
        self.vendor = vendor
    }

    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src blob:",
        "img-src 'self' data: blob:", "style-src 'self' 'unsafe-inline'", "connect-src 'self'",
        "font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "json": "application/json", "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json", "png": "image/png", "wasm": "application/wasm",
        "txt": "text/plain; charset=utf-8",
    ]

    /// Whether `If-None-Match` names a tag: `*`, or a list of tags, weak or not (RFC 9110 section 13.1.2).
    static func matches(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            let text = part.filter { $0 != " " }
            return text == "*" || text == tag || text == "W/\(tag)"
        }
    }

    /// The answer with a file.
    ///
    /// - Throws: `WireError` `.notFound` where there is none of a known kind.
    func file(_ relative: String, in folder: String, ifNoneMatch: String?) throws(WireError) -> HTTPReply {
        let path = "\(folder)/\(relative)"
        guard let type = Self.types[(relative as NSString).pathExtension],
            let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
        else { throw WireError(.notFound, "there is nothing at this address") }
        let stamp = "\(size)-\(date.timeIntervalSince1970)"
        let tag = "\"\(Base64URL.encode(Array(Crypto.sha256(Array(stamp.utf8)).prefix(12))))\""
        var response = HTTPResponse(status: 200, headers: ["Content-Type": type], body: .file(path: path))
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Content-Security-Policy"] = Self.contentSecurityPolicy
        response.headers["Referrer-Policy"] = "no-referrer"
        if Self.matches(ifNoneMatch, tag) {
            response.status = 304
            response.body = .none
        }
        return .response(response)
    }
}

/// `/` and `/assets`: the page and its files
func pageRoutes(_ files: PageFiles) -> [Route] {
    // One page for all ways in: an invite's `/join#code`, a view link's `/s/message#token`.
    ["/", "/join", "/s/{id}"].map { path in
        Route("GET", path, access: .everybody) { request in
            try files.file(
                "index.html", in: files.web, ifNoneMatch: request.request.headers["If-None-Match"])
        }
    } + [
        Route("GET", "/assets/vendor/{path*}", access: .everybody) { request in
            try files.file(
                request.parameters["path"] ?? "", in: files.vendor,
                ifNoneMatch: request.request.headers["If-None-Match"])
        },
        Route("GET", "/assets/{path*}", access: .everybody) { request in
            try files.file(
                request.parameters["path"] ?? "", in: files.web,
                ifNoneMatch: request.request.headers["If-None-Match"])
        },
    ]
}
