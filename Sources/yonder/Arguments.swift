/// What a subcommand is called and takes: read by ``Arguments`` and by ``Help``.
struct CommandDeclaration: Sendable {
    /// An option, `--name VALUE`, or a flag, `--name`.
    struct Option: Sendable {
        /// With its dashes.
        var name: String
        /// What the value is called in the help; `nil` = a flag.
        var value: String?
        var help: String
        /// The environment variable that stands in for it.
        var environment: String?
        /// Whether it may be given again: then it is one value, with commas between.
        var repeats: Bool

        init(
            _ name: String, _ value: String? = nil, _ help: String, environment: String? = nil,
            repeats: Bool = false
        ) {
            self.name = name
            self.value = value
            self.help = help
            self.environment = environment
            self.repeats = repeats
        }
    }

    var name: String
    var summary: String
    /// What the one free word is called in the help; `nil` = there is none. It may be left out.
    var word: (name: String, help: String)?
    var options: [Option]
    /// Further lines of the help.
    var notes: [String] = []
}

/// The words after a subcommand, checked against its declaration.
struct Arguments {
    private let declaration: CommandDeclaration
    private let environment: [String: String]
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// The free word; `nil` where none was given.
    private(set) var word: String?
    /// Whether `--help` stands among them; then nothing else is checked.
    let asksForHelp: Bool

    /// Reads the words: `--name value`, `--name=value`, `--flag`, one free word, `--` before a word that
    /// begins with a dash.
    init(
        _ words: some Sequence<String>, of declaration: CommandDeclaration, environment: [String: String]
    ) throws(CommandFailure) {
        self.declaration = declaration
        self.environment = environment
        let words = Array(words)
        asksForHelp = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
        if asksForHelp { return }
        var rest = words[...]
        while let next = rest.popFirst() {
            if next == "--" {
                for free in rest { try take(free) }
                return
            }
            if next.hasPrefix("-"), next != "-" {
                try option(next, &rest)
            } else {
                try take(next)
            }
        }
    }

    /// Whether a flag was given.
    func flag(_ name: String) -> Bool { flags.contains(name) }

    /// An option's value, or its environment variable's; `nil` where there is neither, or nothing in it.
    func value(_ name: String) -> String? {
        if let value = values[name] { return value }
        let option = declaration.options.first { $0.name == name }
        return option?.environment.flatMap { environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether an option was given as such, not by its environment variable.
    func isGiven(_ name: String) -> Bool { values[name] != nil }

    /// An option's value as something else; `nil` where it was not given.
    ///
    /// - Parameters:
    ///   - name: The option.
    ///   - expected: What its value should be, for the message.
    ///   - read: Reads the value; `nil` = it is wrong.
    /// - Returns: What was read.
    /// - Throws: `CommandFailure` naming the option.
    func value<Value>(
        _ name: String, expected: String, _ read: (String) -> Value?
    ) throws(CommandFailure) -> Value? {
        guard let text = value(name) else { return nil }
        guard let value = read(text) else { throw .wrong(source(of: name), expected: expected) }
        return value
    }

    /// The same for an option that must be given.
    func required<Value>(
        _ name: String, expected: String, _ read: (String) -> Value?
    ) throws(CommandFailure) -> Value {
        guard let value = try value(name, expected: expected, read) else {
            throw .wrong(name, expected: expected + environmentHint(name))
        }
        return value
    }

    private func source(of name: String) -> String {
        if values[name] != nil { return name }
        return declaration.options.first { $0.name == name }?.environment ?? name
    }

    private func environmentHint(_ name: String) -> String {
        let option = declaration.options.first { $0.name == name }
        return option?.environment.map { ", here or in \($0)" } ?? ""
    }

    private mutating func take(_ free: String) throws(CommandFailure) {
        if let (name, _) = values.first(where: { $0.value.hasSuffix(",") }) {
            let form = declaration.options.first { $0.name == name }?.value ?? "its value"
            throw CommandFailure(
                status: 2, message: "\(name): expected \(form) without a space, or in quotes")
        }
        guard let declared = declaration.word else {
            throw CommandFailure(status: 2, message: "unexpected '\(free)': expected options alone")
        }
        guard word == nil else {
            throw CommandFailure(
                status: 2, message: "unexpected '\(free)': expected one \(declared.name), in quotes")
        }
        word = free
    }

    private mutating func option(_ text: String, _ rest: inout ArraySlice<String>) throws(CommandFailure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = declaration.options.first(where: { $0.name == name }) else {
            let known = declaration.options.map(\.name) + ["--help"]
            throw CommandFailure(
                status: 2, message: "unknown option \(name): \(Spelling.advice(for: name, among: known))")
        }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw .wrong(name, expected: "no value") }
            flags.insert(name)
            return
        }
        let before = values[name]
        guard before == nil || option.repeats else { throw .wrong(name, expected: "to be given once") }
        if parts.count == 2 {
            values[name] = String(parts[1])
        } else if let next = rest.first, !next.hasPrefix("--") {
            values[name] = next
            rest.removeFirst()
        } else {
            throw .wrong(name, expected: "a value, \(placeholder)")
        }
        if let before, let value = values[name] { values[name] = "\(before),\(value)" }
    }
}
