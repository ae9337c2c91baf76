import Foundation
import YonderModel
import YonderServer

/// Runs a server until the process is told to end.
enum ServeRun {
    /// Runs it.
    ///
    /// - Parameters:
    ///   - configuration: Checked before.
    ///   - linksFile: Where the demo's links are written as JSON, for programs; `nil` = nowhere.
    /// - Throws: `ServerError` where it cannot start.
    static func run(_ configuration: ServerConfiguration, linksFile: String?) async throws {
        umask(0o077)  // the database is for its owner alone
        let (stops, stop) = AsyncStream<Void>.makeStream()
        StopSignals.listen { _ in stop.yield() }
        let server = try YonderServer(configuration)
        let running = Task {
            try await server.run { ready in
                let address = ready.address == ready.base ? "" : " (listening at \(ready.address))"
                print("Yonder is ready at \(ready.base)\(address)")
                if let links = ready.demoLinks {
                    show(links)
                    if let linksFile { write(links, base: ready.base, to: linksFile) }
                } else {
                    print(
                        "Make somebody a token with `yonder token --user ID --secret-file FILE`; they open \(ready.base)/#token=TOKEN"
                    )
                }
                if ["0.0.0.0", "::"].contains(configuration.host), configuration.publicURL == nil {
                    print("Links are for this machine alone: say --public-url for those on others.")
                }
                fflush(nil)
            }
        }
        let stopping = Task { for await _ in stops { running.cancel() } }
        defer { stopping.cancel() }
        try await running.value
    }

    private static func show(_ links: DemoLinks) {
        print(
            """

              You (Kim)    \(links.you)

              Your friend  \(links.friend)

              The map      \(links.walker)

            Open them in a browser; the walker is already sharing. Ctrl-C stops the server.
            """)
    }

    private static func write(_ links: DemoLinks, base: String, to file: String) {
        let json = [
            "base": base, "you": links.you, "friend": links.friend, "walker": links.walker,
        ]
        let data = Data(WireJSON.encode(json))
        guard
            FileManager.default.createFile(
                atPath: file, contents: data, attributes: [.posixPermissions: 0o600])
        else {
            return Output.problem("\(file) cannot be written", as: "yonder serve")
        }
    }
}
