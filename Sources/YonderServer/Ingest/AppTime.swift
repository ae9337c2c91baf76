import YonderModel
import YonderRules

/// When an app says that a fix was measured.
enum AppTime: Hashable {
    case missing, unreadable
    case at(Timestamp)

    /// From the first of these values that is there.
    init(_ values: JSONValue?...) {
        guard let value = values.lazy.compactMap({ $0 }).first else {
            self = .missing
            return
        }
        switch value {
        case .number(let number): self.init(epoch: number)
        case .text(let text): self.init(text: text)
        default: self = .unreadable
        }
    }

    /// From seconds since 1970, or milliseconds where the number is too large for the seconds of this age.
    private init(epoch number: Double) {
        let milliseconds = number >= 2_147_483_647 ? number : number * 1_000
        guard number > 0, milliseconds < 253_402_300_800_000 else {
            self = .unreadable
            return
        }
        self = .at(Timestamp(milliseconds: Int64(milliseconds.rounded())))
    }

    /// From a number, or a time of ISO 8601: with `T` or a blank, any zone or none, which is UTC.
    init(text: String) {
        if let number = Double(decimal: text) {
            self.init(epoch: number)
        } else if let time = Timestamp(rfc3339: Self.rfc3339(text)) {
            self = .at(time)
        } else {
            self = .unreadable
        }
    }

    /// The same time as RFC 3339 writes it, if `text` is one.
    private static func rfc3339(_ text: String) -> String {
        var bytes = Array(text.utf8)
        guard bytes.count > 10 else { return text }
        let blank = UInt8(ascii: " ")
        if bytes[10] == blank { bytes[10] = UInt8(ascii: "T") }
        // The `+` of a zone that came through a form as a blank.
        if let gap = bytes.lastIndex(of: blank), gap >= 19 { bytes[gap] = UInt8(ascii: "+") }
        let signs = [UInt8(ascii: "+"), UInt8(ascii: "-")]
        if let zone = bytes[11...].lastIndex(where: { signs.contains($0) }) {
            switch bytes.count - zone {
            case 5: bytes.insert(UInt8(ascii: ":"), at: zone + 3)
            case 3: bytes += Array(":00".utf8)
            default: break
            }
        } else if let last = bytes.last, last &- 48 < 10 {
            bytes.append(UInt8(ascii: "Z"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
