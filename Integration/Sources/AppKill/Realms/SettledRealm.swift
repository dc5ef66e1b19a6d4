/// What a device of the loop has, as it said it.
struct SettledRealm: Equatable {
    /// The edits of each object, by its key.
    private(set) var edits: [String: Int] = [:]
    /// The elements of the shared list.
    private(set) var lines: [String] = []
    /// The shared counter.
    private(set) var count = 0
    /// How many changes of the realm the device has.
    private(set) var position = 0

    /// Reads what ``KilledDevice/settle()`` said.
    ///
    /// - Throws: ``AppKillError`` with the first line that is something else, such as an error.
    init(_ said: [String]) throws {
        for line in said {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.count, words.last.flatMap { Int($0) }) {
            case ("trace", 3, .some(let number)): edits[words[1]] = number
            case ("line", 2, _): lines.append(words[1])
            case ("count", 2, .some(let number)): count = number
            case ("position", 2, .some(let number)): position = number
            default: throw AppKillError("A device said when it settled: \(line)")
            }
        }
    }

    /// Checks that nothing is lost and nothing applied twice.
    ///
    /// Each transaction left one object, one element, one in the counter, and one edit of some object.
    ///
    /// - Parameters:
    ///   - promised: The transactions whose commit had returned.
    ///   - device: Whose realm it is.
    /// - Throws: ``AppKillError`` with the first thing that is wrong.
    func check(promised: Set<String>, on device: Int) throws {
        func error(_ sentence: String) -> AppKillError { AppKillError("Device \(device): \(sentence).") }
        let made = Set(edits.keys)
        if let lost = promised.subtracting(made).min() { throw error("\(lost) was promised and is lost") }
        guard Set(lines) == made else { throw error("The list and the objects are of different transactions") }
        guard lines.count == made.count else { throw error("The list has an element twice") }
        guard count == made.count else { throw error("\(made.count) transactions counted to \(count)") }
        let edited = edits.values.reduce(0, +)
        guard edited == made.count else { throw error("\(made.count) transactions edited \(edited) times") }
        guard position == made.count else { throw error("\(made.count) transactions are \(position) changes") }
    }
}
