import Foundation

/// The texts of the kits in all their languages, as Apple's String Catalog holds them.
struct StringCatalog: Decodable, Sendable {
    struct Entry: Decodable, Sendable { let localizations: [String: Localization] }

    /// One text, or one for each plural category.
    struct Localization: Decodable, Sendable {
        struct Unit: Decodable, Sendable {
            struct Text: Decodable, Sendable { let value: String }
            let stringUnit: Text
        }
        struct Variations: Decodable, Sendable { let plural: [String: Unit] }
        let stringUnit: Unit.Text?
        let variations: Variations?

        /// The text for a number; English and German have one form for 1 and one for all else.
        func text(for count: Int?) -> String? {
            guard let plural = variations?.plural else { return stringUnit?.value }
            return (plural[count == 1 ? "one" : "other"] ?? plural["other"])?.stringUnit.value
        }
    }

    let sourceLanguage: String
    let strings: [String: Entry]

    /// The kits' own.
    static let own: StringCatalog = {
        do {
            return try JSONDecoder().decode(
                StringCatalog.self, from: Data(PackageResources.Localizable_xcstrings))
        } catch {
            preconditionFailure(
                "the string catalog is built into this program and is read by its tests: \(error)")
        }
    }()

    /// Codes of the languages that it has, the source language first.
    var languages: [String] {
        let all = Set(strings.values.flatMap { $0.localizations.keys })
        return [sourceLanguage] + all.subtracting([sourceLanguage]).sorted()
    }

    func text(_ key: String, language: String, count: Int?) -> String? {
        let texts = strings[key]?.localizations
        return (texts?[language] ?? texts?[sourceLanguage])?.text(for: count)
    }
}
