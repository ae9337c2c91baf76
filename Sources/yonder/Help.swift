/// Help, made from the declarations that the arguments are read by.
enum Help {
    /// All subcommands.
    static func overview(_ commands: [any Command.Type]) -> String {
        let rows = commands.map { ($0.declaration.name, $0.declaration.summary) }
        return """
            usage: yonder COMMAND [OPTIONS]

            \(table(rows))

            yonder COMMAND --help says more.
            """
    }

    /// One subcommand.
    static func text(for declaration: CommandDeclaration) -> String {
        let word = declaration.word.map { " [\($0.name)]" } ?? ""
        var rows = declaration.word.map { [($0.name, $0.help)] } ?? []
        rows += declaration.options.map { option in
            let variable = option.environment.map { " [\($0)]" } ?? ""
            return (option.value.map { "\(option.name) \($0)" } ?? option.name, option.help + variable)
        }
        rows.append(("--help", "Show this."))
        var text = """
            usage: yonder \(declaration.name) [OPTIONS]\(word)

            \(declaration.summary)

            \(table(rows))
            """
        if !declaration.notes.isEmpty { text += "\n\n" + declaration.notes.joined(separator: "\n") }
        return text
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, help in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(help)"
        }.joined(separator: "\n")
    }
}
