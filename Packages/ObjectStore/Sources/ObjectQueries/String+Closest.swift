extension String {
    /// The candidate that somebody may have meant who wrote this word, or nil when none is close.
    ///
    /// Close means an edit distance of at most a third of the length, rounded up; case does not count.
    package func closest(in candidates: some Sequence<String>) -> String? {
        let word = Array(lowercased())
        return
            candidates
            .map { (candidate: $0, distance: Self.distance(word, Array($0.lowercased()))) }
            .filter { $0.distance <= (word.count + 2) / 3 }
            .min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }?
            .candidate
    }

    /// The count of insertions, deletions and replacements that turn one word into the other (Levenshtein).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (character == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
