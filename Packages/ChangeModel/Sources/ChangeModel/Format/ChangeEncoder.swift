public import EventModel

/// Writes the bytes of a change operation by operation, so that a change of many objects is never a value in memory.
///
/// The bytes are those of ``Change/body``. Names that come again and again have numbers, which the caller asks for once.
///
/// ```swift
/// var encoder = ChangeEncoder()
/// let (person, name) = (encoder.number(of: "Person"), encoder.number(of: "name"))
/// var given = ChangeEncoder.Cells()
/// encoder.append(name, .string("Ada"), to: &given)
/// encoder.appendCreation(person, key: .int(1), given: given, defaults: ChangeEncoder.Cells())
/// let body = encoder.body(base: 7, clock: clock)
/// ```
public struct ChangeEncoder {
    /// The number of a name in one change.
    public struct Name: Sendable, Hashable {
        let number: Int
    }

    private var writer = ChangeWriter()
    /// How many operations were written.
    public private(set) var count = 0

    /// Begins a change without operations.
    public init() {}

    /// The bytes of the operations so far.
    public var byteCount: Int { writer.bytes.count }

    /// Returns the number of the name of a class or property.
    public mutating func number(of name: ExactText) -> Name { Name(number: writer.number(of: name)) }

    /// Adds an operation.
    public mutating func append(_ operation: ChangeOperation) {
        writer.append(operation)
        count += 1
    }

    /// Adds a value to those of an object; the class that a link leads to gets a number in this change.
    ///
    /// - Parameters:
    ///   - name: The property.
    ///   - value: What it holds.
    ///   - cells: The values of the object so far.
    public mutating func append(_ name: Name, _ value: CellValue, to cells: inout Cells) {
        cells.begin(name)
        if let target = value.target {
            cells.writer.byte(value.tag)
            cells.writer.count(writer.number(of: target.className))
            cells.writer.key(target.key)
        } else {
            cells.writer.value(value)
        }
    }

    /// Adds the creation of an object.
    ///
    /// - Parameters:
    ///   - className: The class.
    ///   - key: The primary key.
    ///   - given: The values that were given, in the order of the names.
    ///   - defaults: The values that are defaults, in the order of the names.
    public mutating func appendCreation(_ className: Name, key: PrimaryKey, given: Cells, defaults: Cells) {
        writer.byte(ChangeOperation.Action.creationKind)
        writer.count(className.number)
        writer.key(key)
        writer.count(given.count)
        writer.raw(given.writer.bytes)
        writer.count(defaults.count)
        writer.raw(defaults.writer.bytes)
        count += 1
    }

    /// Adds an assignment to a property of an object itself.
    public mutating func appendAssignment(_ className: Name, key: PrimaryKey, _ property: Name, _ value: CellValue) {
        beginAssignment(className, key, property)
        writer.value(value)
    }

    /// Adds an assignment of what lies in the memory of somebody else.
    public mutating func appendAssignment(_ className: Name, key: PrimaryKey, _ property: Name, _ value: PlainValue) {
        beginAssignment(className, key, property)
        writer.plain(value)
    }

    private mutating func beginAssignment(_ className: Name, _ key: PrimaryKey, _ property: Name) {
        writer.byte(ChangeOperation.Action.assignmentKind)
        writer.count(className.number)
        writer.key(key)
        writer.path(ofProperty: property.number)
        count += 1
    }

    /// Returns the bytes of the change.
    ///
    /// - Parameters:
    ///   - base: The position of the file at the commit.
    ///   - clock: When the change was made.
    /// - Returns: The bytes, as ``Change/body`` has them.
    public func body(base: Int, clock: HybridClock) -> [UInt8] {
        let head = Change.head(base: base, clock: clock, names: writer.names)
        var whole = ChangeWriter(reserving: head.count + Self.countBytes + writer.bytes.count)
        whole.raw(head)
        whole.count(count)
        whole.raw(writer.bytes)
        return whole.bytes
    }

    /// How many bytes the count of the operations takes at most.
    private static let countBytes = 10
}

extension ChangeEncoder {
    /// The values of one object, which are written before it is known how many there are.
    ///
    /// The names have the numbers of one change. To use the same for one object after the other saves their memory.
    public struct Cells {
        fileprivate var writer = ChangeWriter()
        /// How many values there are.
        public private(set) var count = 0

        /// Begins without values.
        public init() {}

        /// The bytes of the values so far.
        public var byteCount: Int { writer.bytes.count }

        /// Forgets all values.
        public mutating func removeAll() {
            writer.removeBytes()
            count = 0
        }

        /// Adds a value; a link is added by ``ChangeEncoder/append(_:_:to:)``, as its class gets a number in the change.
        public mutating func append(_ name: Name, _ value: PlainValue) {
            if case .other(let value) = value {
                precondition(value.target == nil, "A link was added to the cells of an object without its change.")
            }
            begin(name)
            writer.plain(value)
        }

        fileprivate mutating func begin(_ name: Name) {
            writer.count(name.number)
            count += 1
        }
    }
}
