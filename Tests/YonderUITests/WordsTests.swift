import Foundation
import Testing

@testable import YonderUI

struct WordsTests {
    @Test func `the catalogue has every text in both languages, and no other`() throws {
        let catalog = StringCatalog.own
        #expect(catalog.languages == ["en", "de"])
        #expect(Set(catalog.strings.keys) == Set(WordKey.allCases.map(\.rawValue)))
        for (key, entry) in catalog.strings {
            #expect(Set(entry.localizations.keys) == ["en", "de"], "\(key)")
            for count in [nil, 1, 2] {
                let texts = ["en", "de"].compactMap { catalog.text(key, language: $0, count: count) }
                #expect(texts.count == 2 && texts.allSatisfy { !$0.isEmpty }, "\(key)")
                let places = texts.map { $0.matches(of: /%(@|lld)/).map { String($0.output.0) } }
                #expect(places[0] == places[1], "\(key)")
            }
        }
    }

    @Test func `every text is used somewhere`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = ["YonderUI", "YonderUIKit", "YonderSwiftUI"].flatMap { module in
            FileManager.default.enumerator(
                at: sources.appending(path: module), includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL } ?? []
        }.filter { $0.pathExtension == "swift" && $0.lastPathComponent != "WordKey.swift" }
        let code = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        for key in WordKey.allCases where !Self.forKits.contains(key) {
            #expect(code.contains(".\(key)"), "\(key.rawValue)")
        }
    }

    /// What only views say.
    private static let forKits: Set<WordKey> = [
        .buttonOk, .buttonCancel, .buttonSettings, .buttonTryAgain, .durationTitle, .durationMessage,
        .permissionTitle,
        .pickerApproximate, .messagePending, .messageFailed, .stopHint,
    ]

    @Test(arguments: [
        (["de-AT"], "de"), (["fr", "de"], "de"), (["fr"], "en"), ([], "en"), (["EN_us"], "en"),
    ])
    func `the first language that is known is spoken`(_ wished: [String], _ spoken: String) {
        #expect(Words(languages: wished).language == spoken)
    }

    @Test func `numbers choose singular and plural`() {
        #expect(Samples.english.counted(.sharingAudience, 1) == "1 person can see you")
        #expect(Samples.english.counted(.sharingAudience, 6) == "6 people can see you")
        #expect(Samples.german.counted(.durationHours, 1) == "1 Stunde")
        #expect(Samples.german.counted(.durationHours, 8) == "8 Stunden")
    }

    @Test func `an app may say it in its own words`() {
        var words = Samples.english
        words.replacement = { $0 == .liveUntil ? "On till %@!" : nil }
        #expect(words.text(.liveUntil, "3") == "On till 3!")
        #expect(words.text(.liveEnded) == "Live location ended")
    }

    @Test func `what is put in is not read as a pattern`() {
        #expect(Samples.english.text(.locationOf, "100 %@ %lld") == "Location of 100 %@ %lld")
        #expect(Samples.english.text(.liveUntil) == "Live until ")
    }

    @Test(
        arguments: [
            (0.4, "now"), (5, "5 s ago"), (59.9, "59 s ago"), (60, "1 min ago"), (3_599, "59 min ago"),
            (3_600, "at 13:20"), (-30, "now"),
        ])
    func `age is said shortly`(_ seconds: Double, _ text: String) {
        #expect(Samples.english.ago(Samples.now - seconds, now: Samples.now) == text)
    }

    @Test(
        arguments: [
            (0.2, "1 s"), (45, "45 s"), (61, "2 min"), (7_140, "119 min"), (7_200, "2 h"),
            (26_400, "7 h 20 min"), (-5, "0 s"),
        ])
    func `the time that is left is rounded up`(_ seconds: Double, _ text: String) {
        #expect(Samples.english.left(until: Samples.now + seconds, now: Samples.now) == text)
    }

    @Test(
        arguments: [
            ("en_GB", 3.4, "3 m"), ("en_GB", 999.4, "999 m"), ("en_GB", 1_234, "1.2 km"),
            ("de_DE", 1_234, "1,2 km"),
            ("en_GB", 12_345, "12 km"), ("en_US", 100, "328 ft"), ("en_US", 16_093.44, "10 mi"),
            ("en_US", 2_000, "1.2 mi"),
        ])
    func `ways are said in the reader's measures`(_ locale: String, _ metres: Double, _ text: String) {
        #expect(Words(languages: ["en"], locale: Locale(identifier: locale)).distance(metres) == text)
    }

    @Test func `clocks follow the reader's habit and zone`() {
        let here = Words(
            languages: ["en"], locale: Locale(identifier: "en_US"), timeZone: TimeZone(secondsFromGMT: 3_600)!
        )
        #expect(here.clock(Samples.now).replacing("\u{202F}", with: " ") == "3:20 PM")
        #expect(Samples.german.clock(Samples.now) == "14:20")
    }

    @Test func `days have names`() {
        #expect(Samples.english.day(Samples.now, now: Samples.now) == "Today")
        #expect(Samples.english.day(Samples.now - 14.5 * 3_600, now: Samples.now) == "Yesterday")
        #expect(Samples.german.day(Samples.now - 10 * 86_400, now: Samples.now).contains("November"))
    }

    @Test(arguments: [(0.0, "N"), (22, "N"), (23, "NE"), (359, "N"), (180, "S"), (292, "W"), (293, "NW")])
    func `directions are eight`(_ bearing: Double, _ name: String) {
        #expect(Samples.english.direction(bearing) == name)
    }

    @Test(
        arguments: [
            ("walker", "Mo", "Mo"), ("x", "Ada Lovelace", "AL"), ("x", "", "?"), ("x", "  أحمد سالم ", "أس"),
            ("x", "🇫🇮 a", "🇫🇮A"),
        ])
    func `a disc has initials`(_ id: String, _ name: String, _ initials: String) {
        #expect(AvatarLook(id: id, name: name).initials == initials)
    }

    @Test(
        arguments: [
            ("walker", 0x5F6673), ("you", 0x1D7440), ("friend", 0x8A40B5), ("ä🗺️", 0x8A40B5),
            ("anna", 0x2F5FC4),
        ] as [(String, UInt32)])
    func `a person has the colour that the page gives them`(_ id: String, _ rgb: UInt32) {
        #expect(AvatarLook(id: id, name: "").rgb == rgb)
    }

    @Test(arguments: ColorRole.allCases) func `colours can be read on the surface`(_ role: ColorRole) {
        let backgrounds: [ColorRole] = [.ground, .surface]
        guard ![ColorRole.ground, .surface, .line, .textOnAccent].contains(role) else { return }
        for isDark in [false, true] {
            for background in backgrounds {
                #expect(
                    contrast(role.rgb(isDark: isDark), background.rgb(isDark: isDark)) >= 4.5,
                    "\(role) \(isDark)")
            }
        }
        for rgb in AvatarLook.colors { #expect(contrast(rgb, 0xFFFFFF) >= 4.5) }
    }

    /// Of WCAG 2.2.
    private func contrast(_ a: UInt32, _ b: UInt32) -> Double {
        func luminance(_ rgb: UInt32) -> Double {
            let parts = [16, 8, 0].map { shift in
                let part = Double(rgb >> UInt32(shift) & 0xFF) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let (light, dark) = (max(luminance(a), luminance(b)), min(luminance(a), luminance(b)))
        return (light + 0.05) / (dark + 0.05)
    }
}
