import YonderHTTP
import YonderModel

/// What a server runs with.
package struct ServerConfiguration: Sendable {
    /// Numeric address or `localhost`. Default `127.0.0.1`.
    package var host = "127.0.0.1"
    /// 0 picks a free one. Default 8080.
    package var port = 8080
    /// Where `/metrics` and the health checks are for everybody; `nil` = nowhere.
    package var adminAddress: (host: String, port: Int)?
    /// Whose `X-Forwarded-For` counts. Default: nobody's.
    private(set) var proxies = TrustedProxies()
    /// Folder of the database; created where it is missing.
    package var dataFolder: String
    /// Key of all tokens, at least 32 bytes.
    package var secret: [UInt8]
    /// What links begin with, without a slash at the end; `nil` = the address listened on.
    package var publicURL: String?
    /// The page; `nil` = none is served.
    package var page: PageFiles?
    /// Folder of `.pmtiles` files; `nil` = no map is served.
    package var mapFolder: String?
    /// Shortest live share in seconds. Default 60; tests shorten it.
    package var minimumLiveSeconds: Int64 = 60
    /// How long what is over is kept.
    package var retention = Retention()
    /// Whether writes are limited in number. Default `true`; tests and benchmarks turn it off.
    package var limitsRates = true
    /// Milliseconds for which the fan-out gathers positions; `nil` = its default. Benchmarks set it.
    package var tickMilliseconds: Int?
    /// Whether the demo's people, channel and walker are there.
    package var demo = false

    package init(dataFolder: String, secret: [UInt8]) {
        self.dataFolder = dataFolder
        self.secret = secret
    }

    /// Takes the word of the proxies in these networks on where a request comes from.
    ///
    /// - Parameter list: Networks with commas between them, such as `127.0.0.1, fd00::/8`.
    /// - Returns: Whether it is one; else nothing has changed.
    package mutating func trust(proxies list: String) -> Bool {
        guard let read = TrustedProxies(list) else { return false }
        proxies = read
        return true
    }
}

/// Why a server did not start: one sentence that says what to do.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
