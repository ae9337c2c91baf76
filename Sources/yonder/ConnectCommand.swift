import Foundation
import YonderClient
import YonderQR

/// `yonder connect`: lets a tracking app on a phone move one's shares.
struct ConnectCommand: Command {
    static let declaration = CommandDeclaration(
        name: "connect", summary: "Let a tracking app on a phone feed your shares; prints its settings.",
        word: ("APP", "\(PhoneApp.allCases.map(\.rawValue).joined(separator: ", "))."),
        options: ServerAccess.options + [
            .init(
                "--device", "ID",
                "The device that it speaks for; made where it is not there (the app's name)."),
            .init("--name", "NAME", "What the device is called (a new one: the app's title)."),
            .init("--no-qr", nil, "Print no QR code."),
        ],
        notes: [
            "--server is the address as the phone reaches it. Whoever has the key can send positions as this",
            "device; connecting it again makes a new key, and the one before is good no more.",
        ])

    private let access: ServerAccess
    private let app: PhoneApp
    private let device: DeviceId
    private let name: String?
    private let showsCode: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        let known = PhoneApp.allCases.map(\.rawValue)
        guard let word = arguments.word else {
            throw CommandFailure(status: 2, message: "expected an app: \(known.joined(separator: ", "))")
        }
        guard let app = PhoneApp(rawValue: word.lowercased()) else {
            throw CommandFailure(
                status: 2, message: "unknown app '\(word)': \(Spelling.advice(for: word, among: known))")
        }
        self.app = app
        device =
            try arguments.value("--device", expected: "1 to 128 letters, digits, _ . : -", DeviceId.init)
            ?? DeviceId(app.rawValue)!
        name = arguments.value("--name")
        showsCode = !arguments.flag("--no-qr")
        access = try ServerAccess(arguments)
    }

    func run() async throws(CommandFailure) -> Int32 {
        let client = access.client()
        try await access.connect(client)
        let result = await connect(client)
        await access.disconnect(client)
        let (made, hadKey) = try result.get()
        var server = access.server.absoluteString
        while server.hasSuffix("/") { server.removeLast() }
        show(
            PhoneApp.Account(
                server: server, user: access.userId.rawValue, device: device.rawValue, key: made.key,
                passphrase: made.passphrase), hadKey: hadKey)
        if let problem = Self.problem(reaching: access.server) {
            Output.problem(problem, as: "yonder connect")
        }
        return 0
    }

    /// Why a phone may not get there; `nil` = nothing is known.
    static func problem(reaching server: URL) -> String? {
        if let host = server.host(percentEncoded: false), ["127.0.0.1", "::1", "localhost"].contains(host) {
            return "a phone does not reach \(host): say --server with the address that it knows"
        }
        return server.scheme == "https"
            ? nil : "over \(server.scheme ?? "http") the key and the positions can be read on the way"
    }

    private func connect(
        _ client: ChatClient
    ) async -> Result<(made: MadeIngestKey, hadKey: Bool), CommandFailure> {
        let me = client.currentUserController()
        do {
            // What the device has of a name and a platform stays.
            let known = try await me.addDevice(id: device, name: name)
            if known.name == nil {
                let platform = app.platform.flatMap(Platform.init)
                try await me.addDevice(id: device, name: app.title, platform: platform ?? known.platform)
            }
            return .success((try await me.makeIngestKey(for: device), known.hasIngestKey))
        } catch {
            return .failure(CommandFailure(error, "cannot connect the app"))
        }
    }

    private func show(_ account: PhoneApp.Account, hadKey: Bool) {
        let settings = app.settings(account)
        let width = settings.map(\.name.count).max() ?? 0
        let others = hadKey ? " The key that it had before is good no more." : ""
        Output.line("\(app.title) speaks for your device \(device) from now on.\(others) Its settings:\n")
        for (name, value) in settings {
            Output.line("  \(name)\(String(repeating: " ", count: width - name.count))  \(value)")
        }
        if let link = app.link(account) {
            if !app.scansItsLink {
                Output.line("\nOr open this link on the phone:\n\n  \(link)")
            } else if showsCode {
                Output.line("\nOr scan this with the app's own scanner, not with the camera:")
            }
            if showsCode, let code = QRCode(link) { Output.line("\n\(code.terminalText)") }
        }
        Output.line("\nThen share: yonder share --channel TYPE:ID --at LAT,LON --fed-by \(device)")
    }
}
