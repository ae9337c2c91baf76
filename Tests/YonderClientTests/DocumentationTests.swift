import Foundation
import Synchronization
import Testing
import YonderClient
import YonderLocation

/// Every `swift` block of the documentation catalogues stands in `Snippets`, in a file named like its article, and
/// is compiled with these tests.
struct DocumentationTests {
    private static let snippets = DocumentedCode.root.appending(path: "Tests/YonderClientTests/Snippets")

    /// The articles of all catalogues.
    private static let articles: [URL] = {
        let sources = DocumentedCode.root.appending(path: "Sources")
        let paths = try? FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
        return (paths ?? []).filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
            .map { sources.appending(path: $0) }
    }()

    private static func name(_ file: URL) -> String { file.deletingPathExtension().lastPathComponent }

    @Test func `the catalogue of the SDK has its articles`() {
        let names = Set(Self.articles.map(Self.name))
        #expect(
            names.isSuperset(of: [
                "YonderClient", "GettingStarted", "LiveSharing", "Offline", "Errors", "YonderLocation",
                "FetchOnce",
                "FollowTheDevice", "Simulate",
            ]))
        #expect(names.count == Self.articles.count, "snippets are found by an article's name")
    }

    @Test(arguments: articles.map(name))
    func `the code of an article is the code that compiles here`(_ name: String) throws {
        let article = try #require(Self.articles.first { Self.name($0) == name })
        let source = Self.snippets.appending(path: "\(name).swift")
        let blocks = try DocumentedCode.blocks(of: article)
        guard FileManager.default.fileExists(atPath: source.path(percentEncoded: false)) else {
            #expect(blocks.isEmpty, "\(name).swift is missing in Snippets")
            return
        }
        let compiled = try DocumentedCode.compiled(in: source)
        for (block, twin) in zip(blocks, compiled) {
            #expect(block.lines == twin.lines)
            #expect(Set(block.imports).isSubset(of: twin.imports))
        }
        #expect(blocks.count == compiled.count, "each block has its twin, and no snippet is left over")
    }

    @Test func `no snippet is without an article`() throws {
        let names = Set(Self.articles.map(Self.name))
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.snippets, includingPropertiesForKeys: nil)
        for file in files where !names.contains(Self.name(file)) {
            #expect(try DocumentedCode.compiled(in: file).isEmpty, "\(file.lastPathComponent)")
        }
    }

    @Test func `all code of an article is marked as Swift, or as what is typed into a shell`() throws {
        for article in Self.articles {
            let text = try String(contentsOf: article, encoding: .utf8)
            let fences = text.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("```") }
            for (index, fence) in fences.enumerated() {
                let wanted: [Substring] = index.isMultiple(of: 2) ? ["```swift", "```sh"] : ["```"]
                #expect(wanted.contains(fence), "\(article.lastPathComponent)")
            }
        }
    }

    @MainActor @Test
    func `the code of the articles starts a share and the receiver, and moves it`() async throws {
        let message = Mutex("")
        let server = RawServer { request in
            let id = message.withLock { id in
                if request.path.hasSuffix("/messages") { id = request.json["id"] as? String ?? "" }
                return id
            }
            switch (request.method, request.path) {
            case ("GET", "/v1/events"):
                return .webSocket { peer in
                    peer.sendText(Sample.hello())
                    while peer.nextText() != nil {}
                }
            case ("GET", "/v1/live-locations"): return .answer(200, #"{"active_live_locations":[]}"#)
            case ("PUT", "/v1/live-locations"):
                return .answer(200, #"{"applied":["\#(id)"],"skipped":[]}"#)
            case ("POST", "/v1/devices"):
                return .answer(
                    201,
                    """
                    {"id":"phone","user_id":"anna","created_at":"2026-01-01T00:00:00Z",\
                    "last_seen_at":"2026-01-01T00:00:00Z"}
                    """)
            case ("POST", "/v1/channels/messaging:berlin/messages"):
                let device = (request.json["shared_location"] as? [String: Any])?["device_id"] as? String
                return .answer(201, Sample.message(id, location: Sample.location(id, device: device ?? "")))
            default: return .answer(404, "")
            }
        }
        let client = ChatClient(config: .init(baseURL: URL(string: server.url)!))
        try await client.connectUser(userInfo: .init(id: "anna"), token: Token(Sample.token))
        let receiver = Receiver()
        let sharing = Sharing(client, receiver)
        _ = try await startSharing(demo: client.channelController(for: ChannelId("messaging:berlin")!))
        moveShare(client: client)
        defer { LocationProvider.shared.stopMonitoringLocation() }
        let moved = try #require(Coordinate(latitude: 52.53, longitude: 13.4))
        LocationProvider.shared.didUpdateLocation?(Fix(coordinate: moved, timestamp: .now))
        let deadline = ContinuousClock.now + .seconds(10)
        while !server.requests.contains(where: { $0.method == "PUT" }) {
            try #require(ContinuousClock.now < deadline, "the share was not moved")
            try await Task.sleep(for: .milliseconds(5))
        }
        let sent = try #require(server.requests.first { $0.method == "PUT" })
        #expect(sent.json["latitude"] as? Double == 52.53)
        while receiver.starts == 0 {
            try #require(ContinuousClock.now < deadline, "the receiver was not started")
            try await Task.sleep(for: .milliseconds(5))
        }
        withExtendedLifetime(sharing) {}
    }
}
