package import ObjectQueries

extension TextColumn {
    /// The same texts in the form in which those have the same bytes that are equal under the options.
    ///
    /// - Returns: nil when there is too much for one column.
    func folded(_ options: QueryPredicate.Options) -> TextColumn? {
        mapped { text, folded in
            if text.allSatisfy({ $0 < 0x80 }) {
                guard options.contains(.caseInsensitive) else { return folded.append(contentsOf: text) }
                for byte in text { folded.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
            } else {
                folded.append(contentsOf: QueryFunctions.fold(String(decoding: text, as: UTF8.self), options).utf8)
            }
        }
    }
}

extension PackedColumn {
    /// Whether the column has its texts in the form for the options.
    package func isFolded(_ options: QueryPredicate.Options) -> Bool {
        guard case .texts(_, let folded) = self, !options.isEmpty else { return true }
        return folded[options] != nil
    }

    /// Makes the form for the options.
    ///
    /// - Returns: False when there is too much for one column.
    /// - Complexity: O(*n*) in the length of all texts.
    package mutating func fold(_ options: QueryPredicate.Options) -> Bool {
        guard !isFolded(options), case .texts(let column, var folded) = self else { return true }
        guard let new = column.folded(options) else { return false }
        folded[options] = new
        self = .texts(column, folded: folded)
        return true
    }
}
