import CCurl
import YonderCrypto

/// Owns one easy handle. Used by one thread at a time; not Sendable.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer

    /// Once a process; libcurl asks for it before any handle is made.
    private static let library: Void = {
        precondition(Crypto.outlivesExit, "OpenSSL does not start")
        precondition(curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, "libcurl does not start")
    }()

    init() {
        _ = Self.library
        guard let handle = curl_easy_init() else { preconditionFailure("no memory for libcurl") }
        self.handle = handle
    }

    deinit { curl_easy_cleanup(handle) }

    /// Forgets all options; connections stay open.
    func reset() { curl_easy_reset(handle) }

    func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
        try check(CCurl_setLong(handle, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(CurlError) {
        // libcurl copies strings.
        try check(value.withCString { CCurl_setPointer(handle, option, $0) })
    }

    func set(_ option: CURLoption, _ pointer: UnsafeRawPointer?) throws(CurlError) {
        try check(CCurl_setPointer(handle, option, pointer))
    }

    /// What every use has in common: HTTP/1.1, our own certificates where asked for, no signals.
    func prepare(url: String, schemes: String, caFile: String?, timeout: Duration) throws(CurlError) {
        guard !url.utf8.contains(where: { $0 <= 0x20 }) else {
            throw CurlError(.invalidRequest, "the URL holds a space or a line break")
        }
        try set(CURLOPT_URL, url)
        try set(CURLOPT_PROTOCOLS_STR, schemes)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_HTTP_VERSION, 2)  // CURL_HTTP_VERSION_1_1; otherwise h2 is offered
        try set(CURLOPT_CONNECTTIMEOUT_MS, timeout.wholeMilliseconds)
        if let caFile { try set(CURLOPT_CAINFO, caFile) }
    }

    func perform() throws(CurlError) { try check(curl_easy_perform(handle)) }

    private func check(_ status: CURLcode) throws(CurlError) {
        if status != CURLE_OK { throw CurlError(status) }
    }
}

@available(*, unavailable)
extension CurlEasy: Sendable {}

extension Duration {
    /// At least 1: libcurl takes 0 for no limit.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return max(
            1,
            Int(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue)
                + Int(attoseconds / 1_000_000_000_000_000))
    }
}
