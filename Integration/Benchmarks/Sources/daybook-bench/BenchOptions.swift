/// What the program was asked for.
struct BenchOptions {
    /// Whether fewer rounds of less work are enough.
    private(set) var isQuick = false
    /// Where to write the rows as JSON; nil for nowhere.
    private(set) var json: String?
    /// The JSON of an earlier run to compare with; nil for none.
    private(set) var against: String?
    /// A part of the names of the rows to measure; nil for all.
    private(set) var part: String?

    /// Reads the arguments.
    init(_ arguments: some Sequence<String>) throws(BenchOptionsError) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--json": json = try Self.value(of: argument, from: &rest)
            case "--against": against = try Self.value(of: argument, from: &rest)
            case "--only": part = try Self.value(of: argument, from: &rest)
            default: throw BenchOptionsError(description: "daybook-bench does not know '\(argument)'.")
            }
        }
    }

    /// Whether a row is to be measured.
    func wants(_ name: String) -> Bool { part.map(name.contains) ?? true }

    private static func value(
        of option: String,
        from rest: inout ArraySlice<String>
    ) throws(BenchOptionsError) -> String {
        guard let value = rest.popFirst() else { throw BenchOptionsError(description: "\(option) needs a value.") }
        return value
    }
}

/// The arguments make no sense.
struct BenchOptionsError: Error, CustomStringConvertible {
    /// What is wrong with them, in a sentence.
    let description: String
}
