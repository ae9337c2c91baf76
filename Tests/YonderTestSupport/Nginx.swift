package import Foundation

package struct NginxFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Debian's nginx in front of a server, with the configuration that `docs/DEPLOY.md` gives away.
///
/// A single process, so that it is gone with its test even where the test does not end well.
package final class Nginx: Sendable {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The program: installed, or unpacked by `script/setup --nginx`; `nil` = not there.
    package static let program: URL? = [
        URL(filePath: "/usr/sbin/nginx"), root.appending(path: ".cache/nginx/usr/sbin/nginx"),
    ].first { FileManager.default.isExecutableFile(atPath: $0.path()) }

    /// Where clients go, `https`.
    package let base: String
    /// The same without TLS.
    package let plainBase: String
    private let folder: URL
    private let process: ChildProcess

    /// Starts it and waits until it listens.
    ///
    /// - Parameters:
    ///   - port: The server's, on 127.0.0.1.
    ///   - securePort: Where to listen with TLS; `nil` = wherever there is room.
    /// - Throws: `NginxFailure` where nginx or openssl is not there or does not start.
    package init(before port: Int, securePort: Int? = nil) async throws {
        guard let program = Self.program else {
            throw NginxFailure("there is no nginx: run script/setup --nginx")
        }
        try await TestCertificate.make()
        folder = FileManager.default.temporaryDirectory.appending(path: "yonder-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for _ in 0..<3 {
            let (secure, plain) = (try securePort ?? LoopbackPort.free(), try LoopbackPort.free())
            let site = try Self.site(upstream: port, secure: secure, plain: plain, folder: folder)
            try Data(Self.around(site).utf8).write(to: folder.appending(path: "nginx.conf"))
            let process = try ChildProcess(
                program, ["-p", folder.path(), "-c", "nginx.conf", "-e", "main.log"], environment: [:])
            for _ in 0..<500 where process.isRunning {
                if LoopbackPort.isTaken(secure) {
                    self.process = process
                    (base, plainBase) = ("https://127.0.0.1:\(secure)", "http://127.0.0.1:\(plain)")
                    return
                }
                try await Task.sleep(for: .milliseconds(5))
            }
            guard process.problemText.contains("Address already in use") else {
                throw NginxFailure("nginx: \(process.problemText)")
            }
        }
        throw NginxFailure("nginx found no port")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    package func stop() async {
        process.send(SIGTERM)
        _ = await process.status()
    }

    package var processId: pid_t { process.id }

    /// The log of requests so far.
    package var accessLog: String { log("access.log") }
    /// The log of troubles so far.
    package var errorLog: String { log("error.log") + log("main.log") }

    private func log(_ name: String) -> String {
        (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
    }

    /// The file of the documents, with the places of a test for those of a server; all else stays as it is.
    private static func site(upstream: Int, secure: Int, plain: Int, folder: URL) throws -> String {
        var site = try String(contentsOf: root.appending(path: "docs/deploy/nginx.conf"), encoding: .utf8)
        for (text, replacement) in [
            ("server 127.0.0.1:8080;", "server 127.0.0.1:\(upstream);"),
            ("listen 80;", "listen 127.0.0.1:\(plain);"), ("listen [::]:80;", ""),
            ("listen 443 ssl", "listen 127.0.0.1:\(secure) ssl"),
            ("listen [::]:443 ssl http2 sndbuf=64k;", ""),
            ("/etc/letsencrypt/live/yonder.example/fullchain.pem", TestCertificate.file.path()),
            ("/etc/letsencrypt/live/yonder.example/privkey.pem", TestCertificate.key.path()),
            ("/var/log/nginx/yonder.log", folder.appending(path: "access.log").path()),
            ("/var/log/nginx/yonder-error.log", folder.appending(path: "error.log").path()),
        ] {
            guard site.contains(text) else { throw NginxFailure("docs/deploy/nginx.conf: no '\(text)'") }
            site = site.replacing(text, with: replacement)
        }
        return site
    }

    /// What `/etc/nginx/nginx.conf` is for the file of the documents.
    private static func around(_ site: String) -> String {
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        events { worker_connections 8192; }
        http {
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
        \(site)
        }

        """
    }
}
