import Testing

@testable import YonderHTTP

struct TrustedProxiesTests {
    @Test(arguments: [
        // peer, what the header says, the client
        ("127.0.0.1", ["203.0.113.7"], "203.0.113.7"), ("10.1.2.3", ["203.0.113.7"], "203.0.113.7"),
        ("fd00::5", ["2001:db8::1"], "2001:db8::1"), ("::1", ["203.0.113.7"], "203.0.113.7"),
        // The client's own sayings stand before what the proxy added.
        ("127.0.0.1", ["1.1.1.1, 203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["1.1.1.1", "203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["nonsense,203.0.113.7"], "203.0.113.7"),
        // A chain of proxies.
        ("127.0.0.1", ["1.1.1.1, 203.0.113.7, 10.0.0.2,\t10.9.9.9"], "203.0.113.7"),
        ("127.0.0.1", ["203.0.113.7, fd00::1, ::ffff:10.0.0.2"], "203.0.113.7"),
        ("127.0.0.1", ["10.0.0.2, 10.0.0.3"], "10.0.0.2"), ("127.0.0.1", ["10.0.0.2"], "10.0.0.2"),
        // One spelling for one address.
        ("127.0.0.1", ["2001:DB8:0:0::1"], "2001:db8::1"), ("127.0.0.1", ["::ffff:9.8.7.6"], "9.8.7.6"),
        // Nothing, or nothing that is an address.
        ("127.0.0.1", [], "127.0.0.1"), ("127.0.0.1", [""], "127.0.0.1"), ("127.0.0.1", [" , "], "127.0.0.1"),
        ("127.0.0.1", ["203.0.113.7, unknown"], "127.0.0.1"),
        ("127.0.0.1", ["203.0.113.7:4711"], "127.0.0.1"), ("127.0.0.1", ["[2001:db8::1]"], "127.0.0.1"),
        ("127.0.0.1", ["1.2.3"], "127.0.0.1"), ("127.0.0.1", ["01.2.3.4"], "127.0.0.1"),
        ("127.0.0.1", ["fe80::1%eth0"], "127.0.0.1"), ("127.0.0.1", ["1.2.3.4\0"], "127.0.0.1"),
        ("127.0.0.1", ["1.2.3.256, 10.0.0.2"], "127.0.0.1"),
        // Nobody else is believed.
        ("127.0.0.2", ["203.0.113.7"], "127.0.0.2"), ("11.0.0.1", ["203.0.113.7"], "11.0.0.1"),
        ("fe00::1", ["203.0.113.7"], "fe00::1"), ("", ["203.0.113.7"], ""),
    ])
    func `the client is the last one before the trusted proxies`(
        peer: String, said: [String], client: String
    ) throws {
        let proxies = try #require(TrustedProxies("127.0.0.1, ::1,10.0.0.0/8, fd00::/8"))
        var headers: HTTPHeaders = ["X-Real-IP": "8.8.8.8", "Forwarded": "for=8.8.8.8"]
        for value in said { headers.add("x-forwarded-for", value) }
        #expect(proxies.client(peer: peer, headers: headers) == client)
        #expect(TrustedProxies().client(peer: peer, headers: headers) == peer)
    }

    @Test(arguments: [
        ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false),
        ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.128", true),
        ("128.0.0.0/1", "255.255.255.255", true), ("128.0.0.0/1", "127.255.255.255", false),
        ("192.0.2.1/32", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::ffff:192.0.2.0/24", "192.0.2.9", true), ("::1", "0.0.0.1", false), ("2000::/3", "3fff::", true),
    ])
    func `a network holds the addresses with its prefix`(network: String, address: String, holds: Bool) throws
    {
        let network = try #require(IPNetwork(network))
        let address = try #require(IPAddress(address))
        #expect(network.contains(address) == holds)
    }

    @Test(arguments: [
        "", " ", ",", "127.0.0.1,", "localhost", "10.0.0.0/33", "10.0.0.0/-8", "10.0.0.0/+8", "10.0.0.0/",
        "10.0.0.0/8/8", "10.0.0.0/ 8", "10.0.0.1/8", "0.0.0.0/0", "::/0", "::/129", "fd00::1/8", "10.0.0.0/٨",
        "10.0.0.0;::1", "[::1]", "127.0.0.1:80",
    ])
    func `what is no network, or trusts more than was meant, is refused`(list: String) {
        #expect(TrustedProxies(list) == nil)
    }
}
