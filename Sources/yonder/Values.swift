import Foundation
import YonderLocation

/// The values that options take, each read in one place.
enum Values {
    static let durationForm = "a duration such as 90s, 30m, 8h or 1h30m, at most 7d"

    /// A duration: numbers with their units, `d`, `h`, `m`, `s`, each at most once and in this order; more
    /// than nothing and at most seven days.
    static func duration(_ text: String) -> Duration? {
        let units: [(letter: Character, seconds: Int64)] = [
            ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
        ]
        var allowed = units[...]
        var digits = ""
        var total: Int64 = 0
        for character in text {
            if character.isASCII, character.isWholeNumber {
                digits.append(character)
                continue
            }
            guard let index = allowed.firstIndex(where: { $0.letter == character }),
                digits.count <= 7, let number = Int64(digits)
            else { return nil }
            total += number * units[index].seconds
            allowed = units[(index + 1)...]
            digits = ""
        }
        guard digits.isEmpty, (1...604_800).contains(total) else { return nil }
        return .seconds(total)
    }

    /// A duration in the form that ``duration(_:)`` reads.
    static func text(_ duration: Duration) -> String {
        var rest = duration.components.seconds
        var text = ""
        for (letter, seconds) in [("h", Int64(3_600)), ("m", 60), ("s", 1)] where rest >= seconds {
            text += "\(rest / seconds)\(letter)"
            rest %= seconds
        }
        return text.isEmpty ? "0s" : text
    }

    static let placeForm = "LATITUDE,LONGITUDE in degrees, such as 60.17,24.94"

    /// A place: two decimal numbers and a comma between them.
    static func place(_ text: String) -> Coordinate? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, let latitude = decimal(parts[0]), let longitude = decimal(parts[1])
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    static let speedForm = "a number over 0 and at most 100000"

    /// How many times faster.
    static func speed(_ text: String) -> Double? {
        decimal(text).flatMap { $0 > 0 && $0 <= 100_000 ? $0 : nil }
    }

    static let countForm = "a whole number, counted from 1"

    static func count(_ text: String) -> Int? { Int(text).flatMap { $0 >= 1 ? $0 : nil } }

    static let serverForm = "an http or https address, such as https://yonder.example"

    static func server(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host(), !host.isEmpty, url.query() == nil, url.fragment() == nil,
            url.user() == nil
        else { return nil }
        return url
    }

    /// Swift alone would also take hexadecimal numbers, `nan` and `inf`.
    private static func decimal(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }) else { return nil }
        return Double(text)
    }
}
