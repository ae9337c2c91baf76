/// The proxies whose word counts on where a request comes from.
///
/// What anybody else says of it is not looked at: else whoever likes could choose an address, and with it
/// the limit that counts for it.
public struct TrustedProxies: Hashable, Sendable {
    private let networks: [IPNetwork]

    /// Nobody is trusted.
    public init() { networks = [] }

    /// Reads networks with commas between them, such as `127.0.0.1, 10.0.0.0/8, fd00::/8`; `nil` where one
    /// of them is none.
    ///
    /// - Parameter list: The networks; the address of a network has no bits behind its prefix, `/0` is none.
    public init?(_ list: String) {
        var networks: [IPNetwork] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let trimmed = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            guard let network = IPNetwork(String(trimmed)) else { return nil }
            networks.append(network)
        }
        self.networks = networks
    }

    /// Where a request comes from.
    ///
    /// Each proxy adds the address it was called from at the end of `X-Forwarded-For`; so the last one in it
    /// that is no trusted proxy's is the client's, and all before that is the client's own saying.
    ///
    /// - Parameters:
    ///   - peer: The numeric address of the connection's other end.
    ///   - headers: The request's.
    /// - Returns: The client's address; the first of the list where all of them are trusted; `peer` where it
    ///   is not trusted itself, says nothing, or something that is no address.
    public func client(peer: String, headers: HTTPHeaders) -> String {
        guard !networks.isEmpty, let address = IPAddress(peer), trusts(address) else { return peer }
        var farthest: IPAddress?
        let said = headers.values(of: "X-Forwarded-For").joined(separator: ",")
        for part in said.split(separator: ",").reversed() {
            let word = String(part.filter { $0 != " " && $0 != "\t" })
            guard let address = IPAddress(word) else { return peer }
            farthest = address
            if !trusts(address) { break }
        }
        return farthest?.description ?? peer
    }

    private func trusts(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }
}
