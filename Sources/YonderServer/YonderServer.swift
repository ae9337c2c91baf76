import Foundation
import YonderFanout
import YonderHTTP
import YonderMap
import YonderModel
package import YonderRules
import YonderStore

/// A whole server: its store, its loops, its timer and its HTTP side, wired once.
///
/// Made and owned by the command `serve`, or by a test.
package final class YonderServer: Sendable {
    private let configuration: ServerConfiguration
    private let services: Services
    /// What it answers, beside the admin listener's.
    let routes: [Route]
    private let http: HTTPServer
    private let admin: HTTPServer?
    private let lives: LiveLocationService
    private let demo: Demo?
    private let log: Log

    /// Opens the store and wires everything; nothing runs yet.
    ///
    /// - Throws: `ServerError` saying what to do.
    package init(
        _ configuration: ServerConfiguration, log: Log = .standardError,
        clock: @escaping @Sendable () -> Timestamp = { .now }
    ) throws(ServerError) {
        guard let signer = TokenSigner(secret: configuration.secret) else {
            throw ServerError(
                "the secret is too short: it needs \(TokenSigner.minimumSecretBytes) bytes or more")
        }
        let services = Services(
            configuration, signer: signer, store: try Self.openStore(configuration.dataFolder),
            fanout: Self.fanout(configuration, clock: clock), log: log, clock: clock)
        var routes = services.routes
        if let page = configuration.page { routes += pageRoutes(page) }
        if let folder = configuration.mapFolder { routes += mapRoutes(try Self.openMaps(folder)) }
        self.configuration = configuration
        self.services = services
        self.routes = routes
        self.log = log
        lives = services.lives
        demo = configuration.demo ? services.demo : nil
        var listening = HTTPServerConfiguration(host: configuration.host, port: configuration.port)
        listening.proxies = configuration.proxies
        http = HTTPServer(configuration: listening, service: services.router(routes))
        admin = configuration.adminAddress.map { address in
            HTTPServer(
                configuration: HTTPServerConfiguration(host: address.host, port: address.port),
                service: services.router(services.adminRoutes))
        }
    }

    private static func fanout(
        _ configuration: ServerConfiguration, clock: @escaping @Sendable () -> Timestamp
    ) -> Fanout {
        var made = Fanout.Configuration()
        if let tick = configuration.tickMilliseconds { made.tick = .milliseconds(tick) }
        return Fanout(configuration: made, clock: clock)
    }

    private static func openStore(_ folder: String) throws(ServerError) -> any Store {
        do {
            return try SQLiteStore(folder: folder)
        } catch  where error.code == .inUse {
            throw ServerError(
                "another Yonder is using the folder \(folder): stop it, or say --data and --listen")
        } catch {
            throw ServerError("the data folder \(folder) cannot be used: \(error.message)")
        }
    }

    private static func openMaps(_ folder: String) throws(ServerError) -> MapLibrary {
        do {
            return try MapLibrary(directory: folder)
        } catch {
            throw ServerError("the map folder \(folder) cannot be used: \(error.message)")
        }
    }

    /// Looks whether a server could run with a configuration, without starting one.
    ///
    /// - Throws: `ServerError` saying what to do.
    package static func check(_ configuration: ServerConfiguration) throws(ServerError) {
        if let folder = configuration.mapFolder, try openMaps(folder).entries.isEmpty {
            throw ServerError("the map folder \(folder) holds no .pmtiles file")
        }
        // The nearest folder that is there must let us make the rest.
        var folder = URL(fileURLWithPath: configuration.dataFolder)
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue,
            FileManager.default.isWritableFile(atPath: folder.path)
        else { throw ServerError("the data folder \(configuration.dataFolder) cannot be written") }
    }

    /// Runs until its task is cancelled, then stops in order: accept nothing more, finish what is
    /// in flight, say goodbye to every connection, flush the store.
    ///
    /// - Parameter ready: Told once where the server listens, and the demo's links.
    /// - Throws: `ServerError` where it cannot start.
    package func run(ready: (Ready) -> Void) async throws {
        do {
            try await lives.restore()
        } catch {
            await services.store.close()
            throw ServerError("the data in \(configuration.dataFolder) cannot be read: \(error)")
        }
        services.fanout.start(commands: services.events)
        do {
            let adminPort = try admin?.start()
            let port = try http.start()
            let listening = Self.address(host: configuration.host, port: port)
            let base = configuration.publicURL ?? listening
            services.address.url = base
            let links = try await demo?.prepare(base: base)
            ready(
                Ready(
                    port: port, adminPort: adminPort, address: listening, base: base, demoLinks: links))
        } catch {
            await stop()
            guard let error = error as? HTTPServerError else { throw error }
            throw ServerError("\(error.message); choose another address with --listen")
        }
        await withDiscardingTaskGroup { group in
            group.addTask { [lives, log] in await ExpiryTimer(lives: lives, log: log).run() }
            group.addTask { [services] in
                await WatcherReporter(table: services.table, announcer: services.announcer).run()
            }
            group.addTask { [services] in await services.retention.run() }
            if let demo { group.addTask { await demo.run() } }
        }
        // In a task of its own: this one is cancelled, and what is in flight must still be waited for.
        await Task { await stop() }.value
    }

    /// Where a server that is ready listens.
    package struct Ready: Sendable {
        package let port: Int
        package let adminPort: Int?
        /// Where it listens: `http://HOST:PORT`.
        package let address: String
        /// What links begin with.
        package let base: String
        package let demoLinks: DemoLinks?
    }

    private static func address(host: String, port: Int) -> String {
        switch host {
        case "0.0.0.0", "::": "http://127.0.0.1:\(port)"
        default: "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }

    private func stop() async {
        await http.stop(within: .seconds(5))
        await admin?.stop(within: .seconds(1))
        services.fanout.stop()
        await services.store.close()
    }
}
