import CCurl

/// Collects one answer from libcurl's callbacks, within a bound.
final class CurlSink {
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    private(set) var isOverfull = false
    private let maxBodyBytes: Int
    private var headerBytes = 0

    init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

    /// The sink must outlive the handle's next `perform`.
    func attach(to easy: CurlEasy) throws(CurlError) {
        let user = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        _ = CCurl_setSink(easy.handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, user in
            CurlSink.from(user).take(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        _ = CCurl_setSink(easy.handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, user in
            CurlSink.from(user).takeHeader(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        try easy.set(CURLOPT_WRITEDATA, user)
        try easy.set(CURLOPT_HEADERDATA, user)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= maxBodyBytes else {
            isOverfull = true
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        headerBytes += bytes.count
        guard headerBytes <= 65_536 else {
            isOverfull = true
            return 0
        }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") { headers = [] }  // an interim answer came before
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return bytes.count }
        let value = line.utf8[line.utf8.index(after: colon)...]
        headers.append((line[..<colon].lowercased(), Self.trimmed(value)))
        return bytes.count
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
        let start = text.drop(while: isSpace)
        let kept = start.reversed().drop(while: isSpace).reversed()
        return String(decoding: Array(kept), as: UTF8.self)
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> CurlSink {
        Unmanaged<CurlSink>.fromOpaque(user!).takeUnretainedValue()
    }
}

@available(*, unavailable)
extension CurlSink: Sendable {}

/// Owns libcurl's list of header lines.
final class CurlHeaderList {
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    deinit { curl_slist_free_all(list) }

    func append(_ name: String, _ value: String) throws(CurlError) {
        guard !(name + value).utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
            throw CurlError(.invalidRequest, "a header holds a line break")
        }
        append(line: value.isEmpty ? "\(name);" : "\(name): \(value)")
    }

    func append(line: String) { list = curl_slist_append(list, line) }
}

@available(*, unavailable)
extension CurlHeaderList: Sendable {}
