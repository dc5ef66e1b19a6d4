/// What SQLite can take in one statement.
enum SQLLimits {
    /// How many arguments a statement may have.
    private static let maximumArguments = 32_000
    /// How much of the stack of SQLite's parser, of 100 entries, conditions inside each other may take.
    private static let maximumDepth = 80

    /// Checks a statement before SQLite has to refuse it.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    static func check(_ text: String, _ argumentCount: Int, of className: String) throws(QueryError) {
        guard argumentCount <= maximumArguments else {
            throw .tooComplex(
                className: className,
                reason: "it has \(argumentCount) values, at most \(maximumArguments) are possible"
            )
        }
        // Less text has no room for so many conditions.
        guard text.utf8.count < 300 || depth(of: text) <= maximumDepth else {
            throw .tooComplex(className: className, reason: "its conditions lie too deep inside each other")
        }
    }

    /// The entries of the parser's stack that a text takes at most: three for a condition in parentheses behind
    /// another one, ten for a subselect.
    private static func depth(of text: String) -> Int {
        var open: [Int] = []
        var depth = 0
        var deepest = 0
        var isQuoted = false
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\""):
                isQuoted.toggle()
            case UInt8(ascii: "(") where !isQuoted:
                let isSubselect = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "S")
                open.append(isSubselect ? 10 : 3)
                depth += open[open.count - 1]
                deepest = max(deepest, depth)
            case UInt8(ascii: ")") where !isQuoted:
                depth -= open.popLast() ?? 0
            default:
                continue
            }
        }
        return deepest
    }
}
