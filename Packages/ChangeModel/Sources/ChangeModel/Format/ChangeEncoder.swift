public import EventModel

/// Writes the bytes of a change operation by operation, so that a change of many objects is never a value in memory.
///
/// The bytes are those of ``Change/body``. Names that come again and again have numbers, which the caller asks for once.
///
/// ```swift
/// var encoder = ChangeEncoder()
/// let (person, name) = (encoder.number(of: "Person"), encoder.number(of: "name"))
/// encoder.appendCreation(person, key: .int(1), given: [(name, .string("Ada"))], defaults: [])
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

    /// Adds the creation of an object.
    ///
    /// - Parameters:
    ///   - className: The class.
    ///   - key: The primary key.
    ///   - given: The values that were given, in the order of the names.
    ///   - defaults: The values that are defaults, in the order of the names.
    public mutating func appendCreation(
        _ className: Name,
        key: PrimaryKey,
        given: [(Name, CellValue)],
        defaults: [(Name, CellValue)]
    ) {
        writer.byte(ChangeOperation.Action.creationKind)
        writer.count(className.number)
        writer.key(key)
        for cells in [given, defaults] {
            writer.count(cells.count)
            for (name, value) in cells {
                writer.count(name.number)
                writer.value(value)
            }
        }
        count += 1
    }

    /// Adds an assignment to a property of an object itself.
    public mutating func appendAssignment(_ className: Name, key: PrimaryKey, _ property: Name, _ value: CellValue) {
        writer.byte(ChangeOperation.Action.assignmentKind)
        writer.count(className.number)
        writer.key(key)
        writer.path(ofProperty: property.number)
        writer.value(value)
        count += 1
    }

    /// Returns the bytes of the change.
    ///
    /// - Parameters:
    ///   - base: The position of the file at the commit.
    ///   - clock: When the change was made.
    /// - Returns: The bytes, as ``Change/body`` has them.
    public func body(base: Int, clock: HybridClock) -> [UInt8] {
        var counted = ChangeWriter()
        counted.count(count)
        return Change.head(base: base, clock: clock, names: writer.names) + counted.bytes + writer.bytes
    }
}
