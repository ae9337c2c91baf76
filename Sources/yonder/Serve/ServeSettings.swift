import Foundation
import YonderServer

/// What a server is told: by flags, else by the environment, else by a file, else by default.
struct ServeSettings {
    /// One thing that can be set.
    struct Setting {
        let flag: String
        let value: String
        let help: String

        var environment: String { "YONDER_" + flag.uppercased().replacing("-", with: "_") }
        var fileKey: String { flag.replacing("-", with: "_") }
    }

    /// A value that is wrong or missing: where it stands and what to do.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    static let all = [
        Setting(
            flag: "listen", value: "HOST:PORT",
            help: "address to listen on; port 0 picks a free one (127.0.0.1:8080)"),
        Setting(flag: "data", value: "DIR", help: "folder of the database (./data)"),
        Setting(
            flag: "secret-file", value: "FILE",
            help: "key of all tokens, 32 bytes or more; or the variable YONDER_SECRET"),
        Setting(
            flag: "public-url", value: "URL", help: "what links begin with (the address listened on)"),
        Setting(flag: "web", value: "DIR", help: "folder of the page (found beside the program)"),
        Setting(
            flag: "vendor", value: "DIR", help: "folder of MapLibre GL JS (found beside the program)"),
        Setting(
            flag: "map", value: "DIR", help: "folder of the map's .pmtiles (found beside the program)"),
    ]

    private let flags: [String: String]
    private let environment: [String: String]
    private let file: [String: String]
    private let fileName: String?
    private let demo: Bool

    /// Gathers what was said.
    ///
    /// - Throws: `Problem` where the file cannot be read or holds an unknown key.
    init(
        flags: [String: String], configFile: String?, demo: Bool, environment: [String: String]
    ) throws(Problem) {
        self.flags = flags
        self.environment = environment
        self.demo = demo
        fileName = configFile ?? environment["YONDER_CONFIG"]
        file = try fileName.map { (name) throws(Problem) in try Self.read(name) } ?? [:]
    }

    private static func read(_ name: String) throws(Problem) -> [String: String] {
        guard let data = FileManager.default.contents(atPath: name) else {
            throw Problem(description: "\(name): the file cannot be read")
        }
        let json: [String: Any]
        do {
            json = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        } catch {
            throw Problem(
                description:
                    "\(name): not valid JSON; expected an object like {\"listen\": \"127.0.0.1:8080\"}")
        }
        var values: [String: String] = [:]
        for (key, value) in json.sorted(by: { $0.key < $1.key }) {
            guard all.contains(where: { $0.fileKey == key }) else {
                throw Problem(
                    description:
                        "\(name): /\(key) is no setting; known are \(all.map(\.fileKey).joined(separator: ", "))"
                )
            }
            guard let text = value as? String else {
                throw Problem(description: "\(name): /\(key) must be a string")
            }
            values[key] = text
        }
        return values
    }

    /// A value and the name of the place it was said in.
    private func value(_ flag: String) -> (text: String, place: String)? {
        guard let setting = Self.all.first(where: { $0.flag == flag }) else { return nil }
        if let text = flags[flag] { return (text, "--\(flag)") }
        if let text = environment[setting.environment] { return (text, setting.environment) }
        if let text = file[setting.fileKey] { return (text, "\(fileName ?? ""): /\(setting.fileKey)") }
        return nil
    }

    /// The configuration that all this makes.
    ///
    /// - Throws: `Problem` naming what is wrong and where it was said.
    func configuration() throws(Problem) -> ServerConfiguration {
        var made = ServerConfiguration(
            dataFolder: value("data")?.text ?? "data", secret: try secret())
        if let listen = value("listen") { (made.host, made.port) = try Self.address(listen) }
        made.publicURL = try publicURL()
        made.demo = demo
        let web = try folder("web", holding: "index.html", default: "Web")
        let vendor = try folder("vendor", holding: "maplibre-gl.js", default: ".cache/web")
        if let web { made.page = PageFiles(web: web, vendor: vendor ?? web) }
        made.mapFolder = try folder("map", holding: nil, default: ".cache/map")
        if let text = environment["YONDER_MIN_LIVE_SECONDS"] {
            guard let seconds = Int64(text), (1...3600).contains(seconds) else {
                throw Problem(description: "YONDER_MIN_LIVE_SECONDS: expected a number in 1...3600")
            }
            made.minimumLiveSeconds = seconds
        }
        return made
    }

    private func secret() throws(Problem) -> [UInt8] {
        if let file = value("secret-file") {
            guard var bytes = FileManager.default.contents(atPath: file.text).map(Array.init) else {
                throw Problem(description: "\(file.place): the file \(file.text) cannot be read")
            }
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return try Self.checked(bytes, place: "\(file.place): \(file.text)")
        }
        if let text = environment["YONDER_SECRET"] {
            return try Self.checked(Array(text.utf8), place: "YONDER_SECRET")
        }
        throw Problem(
            description:
                "no secret: make one with `openssl rand -base64 32 > secret` and say --secret-file secret")
    }

    private static func checked(_ bytes: [UInt8], place: String) throws(Problem) -> [UInt8] {
        guard bytes.count >= TokenSigner.minimumSecretBytes else {
            throw Problem(
                description:
                    "\(place): the secret has \(bytes.count) bytes and needs \(TokenSigner.minimumSecretBytes); "
                    + "make one with `openssl rand -base64 32`")
        }
        return bytes
    }

    private static func address(_ value: (text: String, place: String)) throws(Problem) -> (String, Int) {
        let wrong = Problem(
            description: "\(value.place): expected HOST:PORT like 127.0.0.1:8080 or [::1]:8080")
        guard let colon = value.text.lastIndex(of: ":"),
            let port = Int(value.text[value.text.index(after: colon)...]), (0...65_535).contains(port)
        else { throw wrong }
        var host = String(value.text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { throw wrong }
        return (host, port)
    }

    private func publicURL() throws(Problem) -> String? {
        guard let value = value("public-url") else { return nil }
        guard let url = URL(string: value.text), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host != nil, url.query == nil, url.fragment == nil
        else {
            throw Problem(description: "\(value.place): expected a URL like https://yonder.example.org")
        }
        return value.text.hasSuffix("/") ? String(value.text.dropLast()) : value.text
    }

    /// A folder that was said, else the one that lies in this program's checkout.
    private func folder(_ flag: String, holding file: String?, default relative: String) throws(Problem)
        -> String?
    {
        func holds(_ path: String) -> Bool {
            FileManager.default.fileExists(atPath: file.map { "\(path)/\($0)" } ?? path)
        }
        if let value = value(flag) {
            guard holds(value.text) else {
                throw Problem(
                    description: "\(value.place): there is no \(file ?? "folder") in \(value.text)")
            }
            return value.text
        }
        var place = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for _ in 0..<6 {
            place.deleteLastPathComponent()
            let path = place.appendingPathComponent(relative).path
            if holds(path) { return path }
        }
        return nil
    }
}
