package import Foundation

/// A certificate for 127.0.0.1 that is good for two days, and gone with the process.
package enum TestCertificate {
    private static let folder = FileManager.default.temporaryDirectory
        .appending(path: "yonder-certificate-\(UUID().uuidString)")

    /// The certificate, PEM; there once ``make()`` has returned.
    package static let file = folder.appending(path: "certificate.pem")
    package static let key = folder.appending(path: "key.pem")

    /// What a client of `base` trusts: `nil` = the system's, or nothing to trust.
    package static func file(for base: String) -> String? { base.hasPrefix("https:") ? file.path() : nil }

    private static let making = Task {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: TestCertificate.folder) }
        let openssl = try ChildProcess(
            URL(filePath: "/usr/bin/openssl"),
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days",
                "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                key.path(), "-out", file.path(),
            ], environment: [:])
        guard await openssl.status() == 0 else { throw NginxFailure("openssl: \(openssl.problemText)") }
    }

    /// Makes it, the first time.
    package static func make() async throws { try await making.value }
}
