public import YonderClient

/// A location inside a quote: a symbol and a word.
public struct LocationQuote: Hashable, Sendable {
    /// The name of the system's symbol.
    public let symbol: String
    /// "Location" or "Live Location".
    public let title: String
    /// 0xRRGGBB of the symbol: red for a place, blue for a live location.
    public let rgb: UInt32

    /// The quote of a location.
    public init(_ location: SharedLocation, words: Words = .current) {
        symbol = location.isLive ? "location.fill" : "mappin.circle.fill"
        title = words.text(location.isLive ? .locationLive : .locationStatic)
        rgb = location.isLive ? 0x0A_84FF : 0xFF_3B30
    }
}
