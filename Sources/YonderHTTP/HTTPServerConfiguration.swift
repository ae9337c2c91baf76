import Glibc

/// Where a server listens and what it allows.
public struct HTTPServerConfiguration: Sendable {
    /// A numeric IPv4 or IPv6 address, or `localhost`. Default `127.0.0.1`. `::` takes IPv4 as well.
    public var host: String
    /// 0...65535. Default 0: the system picks a free one.
    public var port: Int
    /// Threads that read and answer, 2 or more. Default: as many as there are cores, at least 2.
    public var threads: Int
    /// Connections open at a time, WebSockets not counted; more wait to be accepted. Default 4096.
    public var connectionLimit: Int
    /// A connection that is silent this many seconds is closed. Default 30.
    public var idleSeconds: Int
    /// Memory of one connection for a request's head and for chunks of its body, in bytes; a larger head
    /// is refused (431). Default 16,384.
    public var headerBytes: Int
    /// Who may say where a request comes from. Default: nobody.
    public var proxies: TrustedProxies

    public init(host: String = "127.0.0.1", port: Int = 0) {
        self.host = host
        self.port = port
        threads = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        connectionLimit = 4096
        idleSeconds = 30
        headerBytes = 16_384
        proxies = TrustedProxies()
    }
}
