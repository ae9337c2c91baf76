/// Finds the word that a mistyped one was meant to be.
enum Spelling {
    /// What to say after a word that is not known: the one that was meant, else all there are.
    static func advice(for word: String, among known: [String]) -> String {
        if let meant = nearest(to: word, among: known) { return "did you mean \(meant)?" }
        return "expected one of \(known.joined(separator: ", "))"
    }

    /// The known word at most two slips of a finger away, and less than half of the word; `nil` = none.
    static func nearest(to word: String, among known: [String]) -> String? {
        let bare = word.drop { $0 == "-" }
        let limit = min(2, (bare.count - 1) / 2 + 1)
        let distances = known.map { ($0, distance(bare, $0.drop { $0 == "-" })) }
        guard let best = distances.min(by: { $0.1 < $1.1 }), best.1 <= limit, best.1 < bare.count else {
            return nil
        }
        return best.0
    }

    /// How many letters have to be put in, left out, changed or swapped with their neighbour.
    private static func distance(_ one: Substring, _ other: Substring) -> Int {
        let (one, other) = (Array(one), Array(other))
        var rows = [Array(0...other.count)]
        for row in one.indices {
            var line = [row + 1]
            for column in other.indices {
                let isSame = one[row] == other[column]
                var best = min(
                    rows[row][column] + (isSame ? 0 : 1), rows[row][column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                line.append(best)
            }
            rows.append(line)
        }
        return rows[one.count][other.count]
    }
}
