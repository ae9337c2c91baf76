/// What a phone app that knows nothing of Yonder needs to speak for a device.
public struct IngestKey: Hashable, Sendable, Decodable {
    /// 32 characters: whoever has it can send positions as this device.
    public let key: String
    /// 32 characters, for OwnTracks' own encryption.
    public let passphrase: String
}
