public import Foundation

/// What the kits say, in one language and the habits of one place.
///
/// ```swift
/// var words = Words.current
/// words.replacement = { $0 == .attachLocation ? "Where I am" : nil }
/// ```
public struct Words: Sendable {
    /// The code of the language: `en` or `de`.
    public let language: String
    /// Whose habits dates and numbers follow.
    public let locale: Locale
    /// Where clocks are read.
    public let timeZone: TimeZone
    /// An app's own text for a key; `nil`: the kit's. Placeholders are those of the kit's text.
    public var replacement: (@Sendable (WordKey) -> String?)?

    /// Creates words.
    ///
    /// - Parameters:
    ///   - languages: Codes of languages, the most liked first (`de-CH` counts as `de`); English where none fits.
    ///   - locale: Whose habits. Default the user's.
    ///   - timeZone: Default the device's.
    public init(
        languages: [String] = Locale.preferredLanguages, locale: Locale = .current,
        timeZone: TimeZone = .current
    ) {
        let known = StringCatalog.own.languages
        language =
            languages.lazy.map { String($0.prefix { $0 != "-" && $0 != "_" }).lowercased() }
            .first(where: known.contains) ?? known[0]
        self.locale = locale
        self.timeZone = timeZone
    }

    /// The user's own language and habits.
    public static var current: Words { Words() }

    /// A text.
    ///
    /// - Parameters:
    ///   - key: Which.
    ///   - arguments: Texts for its `%@`, in their order.
    /// - Returns: The text; a placeholder without an argument is left out.
    public func text(_ key: WordKey, _ arguments: String...) -> String { filled(key, arguments, count: nil) }

    /// A text with whole numbers in it; the first one chooses between singular and plural.
    public func counted(_ key: WordKey, _ counts: Int...) -> String {
        filled(key, counts.map { $0.formatted(.number.locale(locale)) }, count: counts.first)
    }

    private func filled(_ key: WordKey, _ arguments: [String], count: Int?) -> String {
        let pattern =
            replacement?(key) ?? StringCatalog.own.text(key.rawValue, language: language, count: count) ?? ""
        var rest = arguments[...]
        var filled = ""
        var parts = pattern[...]
        while let place = parts.firstRange(of: /%(@|lld)/) {
            filled += parts[..<place.lowerBound]
            filled += rest.popFirst() ?? ""
            parts = parts[place.upperBound...]
        }
        return filled + parts
    }

    // MARK: Times

    /// The clock time in the reader's own zone and habit: 14:32, or 2:32 PM.
    public func clock(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(date: .omitted, time: .shortened, locale: locale, timeZone: timeZone))
    }

    /// "5 s ago", "5 min ago", after an hour the clock time.
    public func ago(_ date: Date, now: Date) -> String {
        let seconds = Int(max(0, now.timeIntervalSince(date)).rounded(.down))
        switch seconds {
        case 0: return text(.agoNow)
        case ..<60: return counted(.agoSeconds, seconds)
        case ..<3_600: return counted(.agoMinutes, seconds / 60)
        default: return text(.agoAt, clock(date))
        }
    }

    /// The time that is left: "45 s" below a minute, "43 min" below two hours, then "7 h 20 min"; rounded up.
    public func left(until end: Date, now: Date) -> String {
        let seconds = Int(max(0, end.timeIntervalSince(now)).rounded(.up))
        if seconds < 60 { return counted(.leftSeconds, seconds) }
        let minutes = (seconds + 59) / 60
        if minutes < 120 { return counted(.leftMinutes, minutes) }
        let rest = minutes % 60
        return rest == 0
            ? counted(.leftHours, minutes / 60) : counted(.leftHoursMinutes, minutes / 60, rest)
    }

    /// The heading of a day in a conversation: "Today", "Yesterday", else the date.
    public func day(_ date: Date, now: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let days =
            calendar.dateComponents(
                [.day], from: calendar.startOfDay(for: date), to: calendar.startOfDay(for: now)
            ).day ?? 0
        if days == 0 { return text(.dayToday) }
        if days == 1 { return text(.dayYesterday) }
        return date.formatted(
            Date.FormatStyle(date: .long, time: .omitted, locale: locale, timeZone: timeZone))
    }

    // MARK: Ways

    /// Metres below 1 km, one decimal below 10 km, whole kilometres after; feet and miles where the locale uses them.
    public func distance(_ metres: Double) -> String {
        let usesMiles = ["US", "LR"].contains(locale.region?.identifier ?? "")
        let small = usesMiles ? metres / 0.3048 : metres
        if small < 999.5 { return "\(number(small.rounded(), digits: 0)) \(usesMiles ? "ft" : "m")" }
        let large = usesMiles ? metres / 1_609.344 : metres / 1_000
        return "\(number(large, digits: large < 9.95 ? 1 : 0)) \(usesMiles ? "mi" : "km")"
    }

    /// "±12 m", with a space that no line breaks at; `nil` where it is not known.
    public func accuracy(_ metres: Double?) -> String? {
        guard let metres, metres > 0 else { return nil }
        return "±" + distance(max(1, metres)).replacing(" ", with: "\u{A0}")
    }

    /// One of eight directions: "N", "NE", …
    public func direction(_ bearing: Double) -> String {
        let names: [WordKey] = [
            .directionN, .directionNe, .directionE, .directionSe, .directionS, .directionSw, .directionW,
            .directionNw,
        ]
        return text(names[Int((bearing / 45).rounded()) % 8])
    }

    private func number(_ value: Double, digits: Int) -> String {
        value.formatted(.number.precision(.fractionLength(digits)).grouping(.never).locale(locale))
    }
}
