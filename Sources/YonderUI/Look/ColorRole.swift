/// What a colour is for; how it looks is the appearance's to say.
public enum ColorRole: String, CaseIterable, Hashable, Sendable {
    /// Behind everything.
    case ground
    /// Of sheets, cells and bubbles.
    case surface
    /// Between things.
    case line
    case text
    /// Of what matters less.
    case quietText
    /// Mine, and what can be done.
    case accent
    /// Of text on ``accent``.
    case textOnAccent
    /// A share that is on.
    case live
    /// One of which nothing was heard for a while.
    case stale
    /// One that is over.
    case ended
    /// To stop, and what went wrong.
    case danger

    /// Red, green and blue as one number: 0xRRGGBB.
    public func rgb(isDark: Bool) -> UInt32 {
        let (light, dark): (UInt32, UInt32) =
            switch self {
            case .ground: (0xF6F5F2, 0x14161A)
            case .surface: (0xFFFFFF, 0x1D2026)
            case .line: (0xE3E1DB, 0x30343C)
            case .text: (0x1B1D21, 0xEEF0F3)
            case .quietText: (0x5D636E, 0xA2A9B5)
            case .accent: (0x0B6BCB, 0x6CB4FF)
            case .textOnAccent: (0xFFFFFF, 0x0B1A2A)
            case .live: (0x0A7F4F, 0x43D392)
            case .stale: (0x8A6100, 0xF0B541)
            case .ended: (0x5D636E, 0xA2A9B5)
            case .danger: (0xB3261E, 0xFF8A80)
            }
        return isDark ? dark : light
    }
}
