import Foundation
import YonderServer

/// What a server is told: by flags, else by the environment, else by a file, else by default.
struct ServeSettings {
    /// One thing that can be set.
    private struct Setting {
        let flag: String
        let value: String
        let help: String
        var repeats = false

        var environment: String {
            "YONDER_" + flag.dropFirst(2).uppercased().replacing("-", with: "_")
        }
        var fileKey: String { String(flag.dropFirst(2)).replacing("-", with: "_") }
    }

    /// A value and the name of the place it was said in.
    typealias Said = (text: String, place: String)

    private static let settings = [
        Setting(
            flag: "--listen", value: "HOST:PORT",
            help: "Address to listen on; port 0 picks a free one (127.0.0.1:8080)."),
        Setting(
            flag: "--admin-listen", value: "HOST:PORT", help: "Address for /metrics, without a token (none)."),
        Setting(
            flag: "--proxy", value: "CIDR",
            help:
                "Proxies whose X-Forwarded-For is believed, such as 127.0.0.1 or 10.0.0.0/8,fd00::/8 (none).",
            repeats: true),
        Setting(flag: "--data", value: "DIR", help: "Folder of the database (./data)."),
        Setting(
            flag: "--secret-file", value: "FILE",
            help: "Key of all tokens, 32 bytes or more; or the variable YONDER_SECRET."),
        Setting(flag: "--public-url", value: "URL", help: "What links begin with (the address listened on)."),
        Setting(
            flag: "--retention-days", value: "N", help: "Days that an ended share's last place is kept (30)."),
        Setting(
            flag: "--static-retention-days", value: "N",
            help: "Days that a place sent once is kept (as long as its message)."),
        Setting(flag: "--web", value: "DIR", help: "Folder of the page (found beside the program)."),
        Setting(
            flag: "--vendor", value: "DIR",
            help: "Folder of MapLibre GL JS and of the page's yonder.wasm (found beside the program)."),
        Setting(
            flag: "--map", value: "DIR", help: "Folder of the map's .pmtiles (found beside the program)."),
    ]

    static let options =
        settings.map {
            CommandDeclaration.Option(
                $0.flag, $0.value, $0.help, environment: $0.environment, repeats: $0.repeats)
        }
        + [
            .init(
                "--config", "FILE", #"JSON with the same settings: {"listen": "0.0.0.0:80", …}."#,
                environment: "YONDER_CONFIG")
        ]

    private let arguments: Arguments
    private let environment: [String: String]
    private let file: [String: String]
    private let fileName: String?

    /// Gathers what was said.
    ///
    /// - Throws: `CommandFailure` where the file cannot be read or holds an unknown key.
    init(
        _ arguments: Arguments, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) {
        self.arguments = arguments
        self.environment = environment
        fileName = arguments.value("--config")
        file = try fileName.map { (name) throws(CommandFailure) in try Self.read(name) } ?? [:]
    }

    private static func read(_ name: String) throws(CommandFailure) -> [String: String] {
        guard let data = FileManager.default.contents(atPath: name) else {
            throw CommandFailure(status: 1, message: "\(name): the file cannot be read")
        }
        guard let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw CommandFailure(
                status: 1, message: #"\#(name): expected a JSON object like {"listen": "127.0.0.1:8080"}"#)
        }
        var values: [String: String] = [:]
        for (key, value) in json.sorted(by: { $0.key < $1.key }) {
            guard settings.contains(where: { $0.fileKey == key }) else {
                let known = settings.map(\.fileKey).joined(separator: ", ")
                throw CommandFailure(
                    status: 1, message: "\(name): /\(key) is no setting: expected one of \(known)")
            }
            guard let text = value as? String else {
                throw CommandFailure(status: 1, message: "\(name): /\(key) must be a string")
            }
            values[key] = text
        }
        return values
    }

    private func said(_ flag: String) -> Said? {
        guard let setting = Self.settings.first(where: { $0.flag == flag }) else { return nil }
        if let text = arguments.value(flag) {
            return (text, arguments.isGiven(flag) ? flag : setting.environment)
        }
        return file[setting.fileKey].map { ($0, "\(fileName ?? ""): /\(setting.fileKey)") }
    }

    /// The configuration that all this makes.
    ///
    /// - Throws: `CommandFailure` naming what is wrong and where it was said.
    func configuration() throws(CommandFailure) -> ServerConfiguration {
        var made = ServerConfiguration(
            dataFolder: said("--data")?.text ?? "data",
            secret: try Self.secret(file: said("--secret-file"), environment: environment))
        if let listen = said("--listen") { (made.host, made.port) = try Self.address(listen) }
        made.adminAddress = try said("--admin-listen")
            .map { (address) throws(CommandFailure) in try Self.address(address) }
        made.publicURL = try said("--public-url").map { (url) throws(CommandFailure) in try Self.url(url) }
        if let proxy = said("--proxy"), !made.trust(proxies: proxy.text) {
            throw .wrong(proxy.place, expected: "networks such as 127.0.0.1 or 10.0.0.0/8,fd00::/8")
        }
        if let days = said("--retention-days") { made.retention.days = try Self.days(days) }
        made.retention.staticDays = try said("--static-retention-days")
            .map { (days) throws(CommandFailure) in try Self.days(days) }
        made.demo = arguments.flag("--demo")
        let web = try folder("--web", holding: ["index.html"], default: "Web")
        let vendor = try folder(
            "--vendor", holding: ["maplibre-gl.js", "yonder.wasm"], default: ".cache/web")
        if let web { made.page = PageFiles(web: web, vendor: vendor ?? web) }
        made.mapFolder = try folder("--map", holding: [], default: ".cache/map")
        if let seconds = try number("YONDER_MIN_LIVE_SECONDS", in: 1...3600) {
            made.minimumLiveSeconds = Int64(seconds)
        }
        made.tickMilliseconds = try number("YONDER_TICK_MILLISECONDS", in: 0...1000)
        made.limitsRates = environment["YONDER_RATE_LIMIT"] != "off"
        return made
    }

    /// A variable that is there for tests and benchmarks.
    private func number(_ variable: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = environment[variable] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw CommandFailure(
                status: 1,
                message: "\(variable): expected a number in \(range.lowerBound)...\(range.upperBound)")
        }
        return number
    }

    private static let newSecretAdvice =
        "make one with `(umask 077; openssl rand -base64 32 > secret)`, say --secret-file secret"

    /// The key of all tokens, from a file or else from `YONDER_SECRET`.
    ///
    /// - Parameters:
    ///   - file: The file that was said; a line break at its end is not part of the secret.
    ///   - environment: The variables.
    ///   - advice: What to do where there is none. Default: to make one.
    /// - Returns: 32 bytes or more.
    /// - Throws: `CommandFailure` saying how to make one.
    static func secret(
        file: Said?, environment: [String: String], advice: String = newSecretAdvice
    ) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8]
        let place: String
        if let file {
            guard let data = FileManager.default.contents(atPath: file.text) else {
                throw CommandFailure(
                    status: 1, message: "\(file.place): the file \(file.text) cannot be read")
            }
            bytes = Array(data)
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            place = "\(file.place): \(file.text)"
        } else if let text = environment["YONDER_SECRET"] {
            bytes = Array(text.utf8)
            place = "YONDER_SECRET"
        } else {
            throw CommandFailure(status: 1, message: "no secret: \(advice)")
        }
        guard bytes.count >= TokenSigner.minimumSecretBytes else {
            throw CommandFailure(
                status: 1,
                message: "\(place): the secret has \(bytes.count) bytes and needs "
                    + "\(TokenSigner.minimumSecretBytes): make one with `openssl rand -base64 32`")
        }
        return bytes
    }

    private static func address(_ said: Said) throws(CommandFailure) -> (String, Int) {
        let wrong = CommandFailure.wrong(
            said.place, expected: "HOST:PORT like 127.0.0.1:8080 or [::1]:8080")
        guard let colon = said.text.lastIndex(of: ":"),
            let port = Int(said.text[said.text.index(after: colon)...]), (0...65_535).contains(port)
        else { throw wrong }
        var host = String(said.text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { throw wrong }
        return (host, port)
    }

    private static func days(_ said: Said) throws(CommandFailure) -> Int64 {
        guard let days = Int64(said.text), (0...36_500).contains(days) else {
            throw .wrong(said.place, expected: "a number of days in 0...36500")
        }
        return days
    }

    private static func url(_ said: Said) throws(CommandFailure) -> String {
        guard Values.server(said.text) != nil else {
            throw .wrong(said.place, expected: Values.serverForm)
        }
        return said.text.hasSuffix("/") ? String(said.text.dropLast()) : said.text
    }

    /// A folder that was said, else the one that lies in this program's checkout; `nil` where there is none.
    private func folder(
        _ flag: String, holding files: [String], default relative: String
    ) throws(CommandFailure) -> String? {
        func missing(_ path: String) -> String? {
            guard FileManager.default.fileExists(atPath: path) else { return files.first ?? "such folder" }
            return files.first { !FileManager.default.fileExists(atPath: "\(path)/\($0)") }
        }
        if let said = said(flag) {
            if let missing = missing(said.text) {
                throw CommandFailure(
                    status: 1, message: "\(said.place): there is no \(missing) in \(said.text)")
            }
            return said.text
        }
        var place = Bundle.main.executableURL?.resolvingSymlinksInPath() ?? URL(fileURLWithPath: "/")
        for _ in 0..<6 {
            place.deleteLastPathComponent()
            let path = place.appendingPathComponent(relative).path
            if missing(path) == nil { return path }
        }
        return nil
    }
}
