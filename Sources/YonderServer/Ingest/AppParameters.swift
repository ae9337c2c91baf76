import Foundation
import YonderHTTP
import YonderModel

/// What an app says as parameters: in the query, in a form, or as the members of a JSON object.
struct AppParameters {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - query: Its parameters count before those of the body.
    ///   - body: A form, or a JSON object.
    init(query: HTTPQuery, body: [UInt8]) {
        if case .object(let members)? = Self.json(in: body) {
            for (name, value) in members {
                switch value {
                case .text(let text): add(name, text)
                case .number(let number): add(name, "\(number)")
                default: break
                }
            }
        } else {
            for item in HTTPQuery(form: body).items.reversed() { add(item.name, item.value) }
        }
        for item in query.items.reversed() { add(item.name, item.value) }
    }

    /// The body where it is JSON; `nil` = it is none.
    static func json(in body: [UInt8]) -> JSONValue? {
        body.first { !$0.isJSONBlank } == UInt8(ascii: "{") ? JSONValue(json: body) : nil
    }

    /// Apps that know nothing say so in many ways, with words or with none.
    private mutating func add(_ name: String, _ value: String) {
        let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
        let isNothing = ["", "null", "(null)", "nil", "none", "undefined", "nan"].contains(value.lowercased())
        if !isNothing { values[name] = value }
    }

    var isEmpty: Bool { values.isEmpty }

    /// The first of some parameters that is there.
    func text(_ names: String...) -> String? { first(of: names) }

    /// The same as a number; `nil` also where it is none.
    func number(_ names: String...) -> Double? { first(of: names).flatMap { Double(decimal: $0) } }

    /// The ingest key.
    var key: String? { text("id", "deviceid", "device_id") }

    private func first(of names: [String]) -> String? {
        names.first { values[$0] != nil }.flatMap { values[$0] }
    }
}
