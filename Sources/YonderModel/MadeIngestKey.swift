/// What a phone app that knows nothing of Yonder needs to speak for a device: told once, when it is made.
public struct MadeIngestKey: Hashable, Sendable, Codable {
    /// 32 characters: whoever has it can send positions as this device.
    public let key: String
    /// 32 characters, for OwnTracks' own encryption.
    public let passphrase: String

    package init(key: String, passphrase: String) {
        self.key = key
        self.passphrase = passphrase
    }
}
