public import Daybook

/// The traces that a device has when it has sent and got everything.
public struct SettledRealm: Sendable, Equatable {
    /// The edits of each object, by its key.
    public private(set) var edits: [String: Int] = [:]
    /// The elements of the shared list.
    public private(set) var lines: [String] = []
    /// The shared counter.
    public private(set) var count = 0
    /// How many changes of the realm the device has.
    public private(set) var position = 0

    /// Reads a realm, which has sent and got everything.
    public init(_ realm: Realm) {
        for trace in realm.objects(Trace.self) { edits[trace._id] = trace.edits }
        let tally = realm.object(ofType: Tally.self, forPrimaryKey: Tally.key)
        lines = tally.map { Array($0.lines) } ?? []
        count = tally?.count ?? 0
        position = realm.syncSession?.position ?? 0
    }

    /// Reads what another process said of its realm.
    ///
    /// - Parameter said: The lines of ``said``.
    /// - Throws: ``TraceError`` with the first line that is something else, such as an error.
    public init(said: [String]) throws(TraceError) {
        for line in said {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.count, words.last.flatMap { Int($0) }) {
            case ("trace", 3, .some(let number)): edits[words[1]] = number
            case ("line", 2, _): lines.append(words[1])
            case ("count", 2, .some(let number)): count = number
            case ("position", 2, .some(let number)): position = number
            default: throw TraceError("A device said when it settled: \(line)")
            }
        }
    }

    /// The lines in which a process says it to another one.
    public var said: [String] {
        edits.sorted { $0.key < $1.key }.map { "trace \($0.key) \($0.value)" } + lines.map { "line \($0)" }
            + ["count \(count)", "position \(position)"]
    }

    /// Finds what is lost or applied twice.
    ///
    /// Each transaction left one object, one element, one in the counter, and one edit of some object, and is one change of the realm.
    ///
    /// - Parameter promised: The transactions whose commit had returned.
    /// - Returns: The first thing that is wrong, as a part of a sentence; nil when all is well.
    public func problem(promised: Set<String>) -> String? {
        let made = Set(edits.keys)
        if let lost = promised.subtracting(made).min() { return "\(lost) was promised and is lost" }
        guard Set(lines) == made else { return "the list and the objects are of different transactions" }
        guard lines.count == made.count else { return "the list has an element twice" }
        guard count == made.count else { return "\(made.count) transactions counted to \(count)" }
        let edited = edits.values.reduce(0, +)
        guard edited == made.count else { return "\(made.count) transactions edited \(edited) times" }
        guard position == made.count else { return "\(made.count) transactions are \(position) changes" }
        return nil
    }
}
