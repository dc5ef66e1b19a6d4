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

    /// Names that go into one change after the other, with the numbers that they get in one that has no others before.
    public struct Names: Sendable {
        private let all: [ExactText]
        private let numbers: [Name]
        private let writer: ChangeWriter

        /// Takes the names in the order in which they are numbered, each as often as it is asked for.
        public init(_ all: [ExactText]) {
            var writer = ChangeWriter()
            self.all = all
            numbers = all.map { Name(number: writer.number(of: $0)) }
            self.writer = writer
        }

        /// Returns the numbers of the names, which those get that have none.
        fileprivate func numbers(in writer: inout ChangeWriter) -> [Name] {
            if writer.names.isEmpty {
                writer.takeNames(of: self.writer)
                return numbers
            }
            return all.map { Name(number: writer.number(of: $0)) }
        }
    }

    /// Numbers the names, and writes what is general.
    private var writer = ChangeWriter()
    /// The operations.
    private var room = ByteRoom(headroom: headroom)
    /// How many operations were written.
    public private(set) var count = 0

    /// Begins a change without operations.
    public init() {}

    /// The bytes of the operations so far.
    public var byteCount: Int { room.count }

    /// Returns the number of the name of a class or property.
    public mutating func number(of name: ExactText) -> Name { Name(number: writer.number(of: name)) }

    /// Returns the numbers of names, in their order.
    public mutating func numbers(of names: Names) -> [Name] { names.numbers(in: &writer) }

    /// Adds an operation.
    public mutating func append(_ operation: ChangeOperation) {
        writer.append(operation)
        room.take(&writer)
        count += 1
    }

    /// Adds a value to those of an object; the class that a link leads to gets a number in this change.
    ///
    /// - Parameters:
    ///   - name: The property.
    ///   - value: What it holds.
    ///   - cells: The values of the object so far.
    public mutating func append(_ name: Name, _ value: CellValue, to cells: inout Cells) {
        writer.count(name.number)
        writer.value(value)
        cells.take(&writer)
    }

    /// Adds the creation of an object.
    ///
    /// - Parameters:
    ///   - className: The class.
    ///   - key: The primary key.
    ///   - given: The values that were given, in the order of the names.
    ///   - defaults: The values that are defaults, in the order of the names.
    public mutating func appendCreation(_ className: Name, key: PrimaryKey, given: Cells, defaults: Cells) {
        let most = Self.frameBytes + key.mostBytes + given.byteCount + defaults.byteCount
        room.write(atMost: most) { end in
            end.put(byte: ChangeOperation.Action.creationKind)
            end.put(count: className.number)
            end.put(key: key)
            end.put(count: given.count)
            given.room.withBytes { end.put(bytes: $0) }
            end.put(count: defaults.count)
            defaults.room.withBytes { end.put(bytes: $0) }
        }
        count += 1
    }

    /// Adds an assignment to a property of an object itself.
    public mutating func appendAssignment(_ className: Name, key: PrimaryKey, _ property: Name, _ value: CellValue) {
        beginAssignment(className, key)
        writer.count(property.number)
        writer.value(value)
        room.take(&writer)
    }

    /// Adds an assignment of what lies in the memory of somebody else.
    public mutating func appendAssignment(_ className: Name, key: PrimaryKey, _ property: Name, _ value: PlainValue) {
        beginAssignment(className, key)
        room.cell(property.number, value)
    }

    /// Writes what comes in front of the number of the property, with which its path of one step ends.
    private mutating func beginAssignment(_ className: Name, _ key: PrimaryKey) {
        room.write(atMost: Self.frameBytes + key.mostBytes) { end in
            end.put(byte: ChangeOperation.Action.assignmentKind)
            end.put(count: className.number)
            end.put(key: key)
            end.put(count: 1)
            end.put(byte: CellPath.Step.propertyTag)
        }
        count += 1
    }

    /// The bytes of an operation beside its key and its values, at most.
    private static let frameBytes = 2 + 4 * UnsafeMutableRawPointer.countBytes

    /// Makes room for the bytes of more operations, so that those before them are not copied as the change grows.
    public mutating func reserve(_ bytes: Int) { room.reserve(bytes) }

    /// Calls a body with the bytes of the change, where they are.
    ///
    /// - Parameters:
    ///   - base: The position of the file at the commit.
    ///   - clock: When the change was made.
    ///   - use: Takes the bytes, as ``Change/body`` has them; they are valid as long as it runs.
    /// - Returns: What `use` returns.
    /// - Throws: What `use` throws.
    public mutating func withBody<Result, Failure: Error>(
        base: Int,
        clock: HybridClock,
        _ use: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (names, count) = (writer.names, count)
        let tableBytes = names.reduce(Bytes.bytes(ofCount: names.count)) { bytes, name in
            let length = name.string.utf8.count
            return bytes + Bytes.bytes(ofCount: length) + length
        }
        let headBytes = Change.clockBytes + Bytes.bytes(ofCount: base) + 1 + tableBytes + Bytes.bytes(ofCount: count)
        return try room.withBytes(behind: headBytes) { end in
            end.put(clock.bits)
            end.put(count: base)
            end.put(byte: 0)
            end.put(count: names.count)
            for name in names {
                end.put(count: name.string.utf8.count)
                var text = name.string
                text.withUTF8 { end.put(bytes: UnsafeRawBufferPointer($0)) }
            }
            end.put(count: count)
        } _: { bytes throws(Failure) in
            try use(bytes)
        }
    }

    /// Returns the bytes of the change.
    ///
    /// - Parameters:
    ///   - base: The position of the file at the commit.
    ///   - clock: When the change was made.
    /// - Returns: The bytes, as ``Change/body`` has them.
    public mutating func body(base: Int, clock: HybridClock) -> [UInt8] {
        withBody(base: base, clock: clock) { Array($0) }
    }

    private typealias Bytes = UnsafeMutableRawPointer
    /// What lies in front of the operations, the names of some classes and their properties, fits in here.
    private static let headroom = 512
}

extension ByteRoom {
    /// Takes over what was written, and leaves the writer its names.
    fileprivate mutating func take(_ writer: inout ChangeWriter) {
        writer.bytes.withUnsafeBytes { bytes in write(atMost: bytes.count) { $0.put(bytes: bytes) } }
        writer.removeBytes()
    }
}

extension ChangeEncoder {
    /// The values of one object, which are written before it is known how many there are.
    ///
    /// The names have the numbers of one change. To use the same for one object after the other saves their memory.
    public struct Cells {
        fileprivate private(set) var room = ByteRoom()
        /// How many values there are.
        public private(set) var count = 0

        /// Begins without values.
        public init() {}

        /// The bytes of the values so far.
        public var byteCount: Int { room.count }

        /// Forgets all values.
        public mutating func removeAll() {
            room.removeAll()
            count = 0
        }

        /// Adds a value; a link is added by ``ChangeEncoder/append(_:_:to:)``, as its class gets a number in the change.
        public mutating func append(_ name: Name, _ value: PlainValue) {
            room.cell(name.number, value)
            count += 1
        }

        /// Adds what was written of one value.
        fileprivate mutating func take(_ writer: inout ChangeWriter) {
            room.take(&writer)
            count += 1
        }
    }
}
