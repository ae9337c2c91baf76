/// A person's disc where there is no picture: initials on a colour that follows from the id, the same everywhere.
public struct AvatarLook: Hashable, Sendable {
    /// One or two letters; "?" without a name.
    public let initials: String
    /// 0xRRGGBB; white is read on it.
    public let rgb: UInt32

    /// Twelve colours, each at least 4.5 : 1 against white.
    static let colors: [UInt32] = [
        0xB3372F, 0xA8500F, 0x7D5E00, 0x4F6D12, 0x1D7440, 0x0F7373, 0x0F6A9C, 0x2F5FC4, 0x5B4FC7, 0x8A40B5,
        0xAD3386,
        0x5F6673,
    ]

    /// The look of a person.
    ///
    /// The colour is FNV-1a over the id's UTF-16 units, the initials are the first letters of the first and the last
    /// word, or the first two of a lone one.
    public init(id: String, name: String) {
        var hash: UInt32 = 0x811C_9DC5
        for unit in id.utf16 { hash = (hash ^ UInt32(unit)) &* 0x0100_0193 }
        rgb = Self.colors[Int(hash % UInt32(Self.colors.count))]
        let words = name.split(whereSeparator: \.isWhitespace)
        switch (words.first, words.last) {
        case (let first?, let last?) where words.count > 1:
            initials = "\(first.prefix(1))\(last.prefix(1))".uppercased()
        case (let only?, _): initials = String(only.prefix(2))
        default: initials = "?"
        }
    }
}
