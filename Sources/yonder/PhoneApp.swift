import Foundation

/// A tracking app for phones, as it is set up.
enum PhoneApp: String, CaseIterable, Sendable {
    case owntracks, overland, traccar, osmand, gpslogger

    var title: String {
        switch self {
        case .owntracks: "OwnTracks"
        case .overland: "Overland"
        case .traccar: "Traccar Client"
        case .osmand: "OsmAnd"
        case .gpslogger: "GPSLogger"
        }
    }

    /// Who an app is told to speak for, and where.
    struct Account: Sendable {
        /// Without a slash at the end.
        var server: String
        var user: String
        var device: String
        var key: String
        var passphrase: String
    }

    /// What its user types in: the name of each setting, and its value.
    func settings(_ account: Account) -> [(name: String, value: String)] {
        let base = account.server + "/ingest"
        switch self {
        case .owntracks:
            return [
                ("Mode", "HTTP"), ("URL", "\(base)/owntracks"), ("User", account.user),
                ("Password", account.key), ("Encryption key (optional)", account.passphrase),
            ]
        case .overland:
            return [
                ("Receiver endpoint", "\(base)/overland"), ("Access token", account.key),
                ("Device ID", account.device),
            ]
        case .traccar:
            return [("Server URL", "\(base)/osmand"), ("Device identifier", account.key)]
        case .osmand:
            // OsmAnd says metres a second: that is what GPSLogger's address takes, its own takes knots.
            let fields = "lat={0}&lon={1}&timestamp={2}&acc={3}&alt={4}&spd={5}&dir={6}"
            return [("Online tracking web address", "\(base)/gpslogger?id=\(account.key)&\(fields)")]
        case .gpslogger:
            let fields =
                "lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&acc=%ACC&alt=%ALT&spd=%SPD&dir=%DIR&batt=%BATT"
            return [("Custom URL", "\(base)/gpslogger?id=\(account.key)&\(fields)"), ("HTTP method", "GET")]
        }
    }

    /// Whether its link is for the app's own scanner: opened, it would go to a browser, which remembers it.
    var scansItsLink: Bool { self == .traccar }

    /// What it runs on, where that is one system alone.
    var platform: String? {
        switch self {
        case .overland: "ios"
        case .osmand, .gpslogger: "android"
        case .owntracks, .traccar: nil
        }
    }

    /// A link that sets it up when it is opened on the phone; `nil` where it knows none.
    func link(_ account: Account) -> String? {
        let settings = settings(account)
        switch self {
        case .owntracks:
            let configuration = OwnTracksConfiguration(
                url: settings[1].value, username: account.user, password: account.key,
                deviceId: account.device,
                tid: String(account.user.filter { $0.isLetter || $0.isNumber }.prefix(2)).uppercased())
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let json = try? encoder.encode(configuration) else { return nil }
            return "owntracks:///config?inline=" + Self.escaped(json.base64EncodedString())
        case .overland:
            return "overland://setup?url=\(Self.escaped(settings[0].value))&token=\(account.key)"
                + "&device_id=\(Self.escaped(account.device))"
        case .traccar: return "\(settings[0].value)?id=\(account.key)"
        case .osmand, .gpslogger: return nil
        }
    }

    private static func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}

/// The settings of OwnTracks that a link carries; mode 3 is HTTP.
private struct OwnTracksConfiguration: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case mode, url, auth, username, password, deviceId, tid
    }

    let type = "configuration"
    let mode = 3
    let auth = true
    var url: String
    var username: String
    var password: String
    var deviceId: String
    var tid: String
}
