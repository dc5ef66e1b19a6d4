import ChangeModel
import EventModel
import SyncServer

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Takes objects apart that are nothing but plain values of properties, as most are, without the rules.
struct PlainObjectReading {
    /// Objects and their cells as rows, of one class from one key on.
    static let rows = """
        SELECT o.object, o.key, o.changed, c.path, c.cell FROM SyncObject AS o \
        LEFT JOIN SyncCell AS c ON c.object = o.object \
        WHERE o.class = ? AND o.key > ? AND o.epoch & 1 = 1 ORDER BY o.key, c.path
        """

    struct Object {
        let address: ObjectAddress
        let changed: Int
        /// The values; nil where the rules are needed to say what makes the object.
        var given: ChangeOperation.Cells? = [:]
        /// How many bytes its cells take.
        var bytes = 0
    }

    /// A property that another object had.
    private struct Known {
        let path: [UInt8]
        let name: ExactText

        func fits(_ other: UnsafeRawBufferPointer) -> Bool {
            path.withUnsafeBytes { path in
                guard path.count == other.count, let mine = path.baseAddress, let others = other.baseAddress else {
                    return false
                }
                return memcmp(mine, others, path.count) == 0
            }
        }
    }

    private let className: ExactText
    /// The properties of the last object in their order: the next one of a class mostly has the same.
    private var known: [Known] = []

    init(of className: ExactText) { self.className = className }

    /// Reads the rows of the object that the statement is at, and goes to the first row of the next one.
    mutating func next(from statement: PreparedStatement, _ hasRow: inout Bool) throws -> Object {
        let number = try statement.number(0)
        let key = try OrderedReader.key(try statement.blob(1))
        var object = Object(address: ObjectAddress(className, key), changed: Int(try statement.number(2)))
        object.given?.reserveCapacity(known.count)
        var index = 0
        repeat {
            // An object without any cell has one row, in which there is none.
            if !statement.isNull(3) { try add(statement, at: index, to: &object) }
            index += 1
            hasRow = try statement.step()
        } while try hasRow && statement.number(0) == number
        return object
    }

    private mutating func add(_ statement: PreparedStatement, at index: Int, to object: inout Object) throws {
        try statement.withBytes(3) { path in
            try statement.withBytes(4) { cell in
                object.bytes += path.count + cell.count
                guard object.given != nil else { return }
                guard let property = try name(of: path, at: index) else {
                    object.given = nil
                    return
                }
                switch try RealmPacking.plain(cell) {
                case .nothing: break
                case .value(let value): object.given?[property] = value
                case .needsRules: object.given = nil
                }
            }
        }
    }

    /// Returns the property that a path is of; nil for another path.
    private mutating func name(of path: UnsafeRawBufferPointer, at index: Int) throws -> ExactText? {
        if index < known.count, known[index].fits(path) { return known[index].name }
        let path = Array(path)
        // Others are not remembered: those of sets and maps are as long as their members and keys.
        let steps = try OrderedReader.path(path).steps
        guard steps.count == 1, case .property(let name) = steps[0] else { return nil }
        known.removeSubrange(min(index, known.count)...)
        if index == known.count { known.append(Known(path: path, name: name)) }
        return name
    }
}
