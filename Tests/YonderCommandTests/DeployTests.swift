import Foundation
import Testing
import YonderTestSupport

@testable import yonder

/// The files of `docs/deploy` say what is true; that of nginx the server's tests go through.
struct DeployTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let analyze = "/usr/bin/systemd-analyze"
    private static let caddy = "/usr/bin/caddy"

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, said: String) {
        let process = try ChildProcess(
            URL(filePath: program), arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": "/nowhere"])
        return (await process.status(), process.text + process.problemText)
    }

    /// The unit with the program of this build, in a file of its own.
    private func withUnit(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yonder-unit-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let unit = try Self.text("docs/deploy/yonder.service")
        let installed = "/opt/yonder/bin/yonder"
        try #require(unit.contains("ExecStart=\(installed) serve"))
        let file = folder.appending(path: "yonder.service")
        try Data(unit.replacing(installed, with: ChildProcess.yonder.path()).utf8).write(to: file)
        try await body(file.path())
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: analyze), "there is no systemd-analyze here"))
    func `systemd takes the unit and finds it closed`() async throws {
        try await withUnit { unit in
            let verified = try await run(Self.analyze, ["verify", "--man=no", unit])
            #expect(verified.status == 0 && verified.said.isEmpty, "\(verified.said)")
            // Of 100; a service that says nothing has 96.
            let judged = try await run(
                Self.analyze, ["security", "--offline=yes", "--no-pager", "--threshold=20", unit])
            #expect(judged.status == 0, "\(judged.said)")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: caddy), "there is no caddy here"))
    func `Caddy takes its file`() async throws {
        let file = Self.root.appending(path: "docs/deploy/Caddyfile").path()
        let judged = try await run(Self.caddy, ["validate", "--adapter", "caddyfile", "--config", file])
        #expect(judged.status == 0, "\(judged.said)")
    }

    @Test(arguments: ["yonder.service", "Containerfile", "nginx.conf", "Caddyfile"])
    func `every setting that the files name is one of serve`(name: String) throws {
        let text = try Self.text("docs/deploy/\(name)")
        let variables = ServeSettings.options.compactMap(\.environment)
        for match in text.matches(of: /YONDER_[A-Z_]+/) { #expect(variables.contains(String(match.output))) }
        let flags = ServeCommand.declaration.options.map(\.name)
        for line in text.split(separator: "\n") where line.contains("yonder serve") {
            for match in line.matches(of: /--[a-z-]+/) { #expect(flags.contains(String(match.output))) }
        }
    }

    @Test func `what the container takes from the sources is there`() throws {
        let file = try Self.text("docs/deploy/Containerfile")
        let copied = file.matches(of: /COPY --from=build \/src\/([^ ]+)/).map { String($0.output.1) }
        #expect(copied == [".build/release/yonder", "Web", ".cache/web", ".cache/map"])
        #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: "Web/index.html").path()))
        // The last two are what script/setup makes.
        let setup = try Self.text("script/setup")
        #expect(setup.contains(#""$cache/web""#) && setup.contains(#""$cache/map""#))
    }

    @Test(arguments: ["docs/deploy/Containerfile", "docs/DEPLOY.md"])
    func `every library that is linked is installed where the program runs`(file: String) throws {
        let text = try Self.text(file)
        let built = try Self.text("Package.swift").matches(of: /\.apt\(\["([a-z0-9.-]+)-dev"\]\)/)
            .map { String($0.1).replacing("-openssl", with: "").replacing("-gnutls", with: "") }
        #expect(built.count > 8)
        let missing = built.filter { !text.contains(try! Regex("\\b\($0)[0-9.-]*\\b")) }
        #expect(missing == [])
    }
}
