import CCurl

/// One HTTP request.
public struct CurlRequest: Sendable {
    /// The method, upper case.
    public var method: String
    /// The whole URL, `http` or `https`.
    public var url: String
    /// Names and values in order.
    public var headers: [(name: String, value: String)]
    /// The body; `nil` = none.
    public var body: [UInt8]?
    /// For the whole exchange. Default 30 s.
    public var timeout: Duration
    /// Silence after which the exchange is given up, in whole seconds; `nil` = only the timeout counts. A
    /// connection that was kept open may lead nowhere since the device has changed its network.
    public var silenceLimit: Duration?

    /// Creates a request.
    public init(
        method: String = "GET", url: String, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, timeout: Duration = .seconds(30), silenceLimit: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.silenceLimit = silenceLimit
    }
}

/// The answer to a request.
public struct CurlResponse: Sendable {
    /// 200...599.
    public var status: Int
    /// Names in lower case and values, in order.
    public var headers: [(name: String, value: String)]
    /// The body; empty where there was none.
    public var body: [UInt8]

    /// The first header of a name, in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name == name.lowercased() }?.value
    }
}

/// Makes HTTP requests, one after another, over connections that stay open.
///
/// Blocks a thread of its own, never one of the cooperative pool. Redirects are not followed, so that a
/// token goes nowhere but where it was sent.
public actor CurlHTTP {
    private let thread = CurlThread(name: "yonder-http")
    private let easy = CurlEasy()
    private let caFile: String?
    private let maxBodyBytes: Int

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - caFile: PEM file of the certificates to trust; `nil` = the system's.
    ///   - maxBodyBytes: Largest answer taken, in bytes. Default 16 MiB.
    public init(caFile: String? = nil, maxBodyBytes: Int = 16 * 1024 * 1024) {
        self.caFile = caFile
        self.maxBodyBytes = maxBodyBytes
    }

    /// Makes one request and waits for its answer.
    ///
    /// - Returns: The answer, whatever its status.
    /// - Throws: `CurlError` where there was no whole answer; `.cancelled` where the task was cancelled
    ///   before the request's turn came. One that is on its way is not broken off.
    public func perform(_ request: CurlRequest) throws(CurlError) -> CurlResponse {
        if Task.isCancelled { throw CurlError(.cancelled, "the request was cancelled") }
        easy.reset()
        try easy.prepare(
            url: request.url, schemes: "http,https", caFile: caFile, timeout: request.timeout)
        try easy.set(CURLOPT_TIMEOUT_MS, request.timeout.wholeMilliseconds)
        if let limit = request.silenceLimit {
            try easy.set(CURLOPT_LOW_SPEED_LIMIT, 1)
            try easy.set(CURLOPT_LOW_SPEED_TIME, max(1, Int(limit.components.seconds)))
        }
        let headers = CurlHeaderList()
        for (name, value) in request.headers { try headers.append(name, value) }
        headers.append(line: "Expect:")  // a body never waits for 100 Continue
        try easy.set(CURLOPT_HTTPHEADER, headers.list.map { UnsafeRawPointer($0) })
        let sink = CurlSink(maxBodyBytes: maxBodyBytes)
        return try withExtendedLifetime((headers, sink)) { () throws(CurlError) in
            try sink.attach(to: easy)
            try exchange(request)
            if sink.isOverfull { throw CurlError(.tooLarge, "the answer is too large") }
            var status = 0
            _ = CCurl_getLong(easy.handle, CURLINFO_RESPONSE_CODE, &status)
            return CurlResponse(status: status, headers: sink.headers, body: sink.body)
        }
    }

    private func exchange(_ request: CurlRequest) throws(CurlError) {
        var status = CURLE_OK
        if let body = request.body {
            // POST would choose the method, so that is said after it; the bytes must outlive the call.
            try easy.set(CURLOPT_POST, 1)
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
            _ = CCurl_setSize(easy.handle, CURLOPT_POSTFIELDSIZE_LARGE, body.count)
            status = body.withUnsafeBytes { bytes in
                // Without a pointer libcurl would ask a callback; where there are no bytes any will do.
                CCurl_setPointer(
                    easy.handle, CURLOPT_POSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(easy.handle))
                return curl_easy_perform(easy.handle)
            }
        } else {
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
            if request.method == "HEAD" { try easy.set(CURLOPT_NOBODY, 1) }
            status = curl_easy_perform(easy.handle)
        }
        // The sink stops libcurl by taking too little: the caller says that as "too large".
        if status != CURLE_OK, status != CURLE_WRITE_ERROR { throw CurlError(status) }
    }
}
