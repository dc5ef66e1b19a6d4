import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes numbers, texts and values as bytes: fixed numbers little-endian, lengths and counts in LEB128.
///
/// The names of classes and properties get numbers as they are used first, and are written once.
struct ChangeWriter {
    private(set) var bytes: [UInt8] = []
    /// The names that got a number, in the order of their numbers.
    private(set) var names: [ExactText] = []
    /// The number that was asked for last.
    private var lastNumber = 0
    /// Their numbers; none as long as there are few.
    private var numbers: [ExactText: Int] = [:]
    /// The names of the cells that were written last, in order: the next object mostly has the same.
    private var cellNames: [(text: ExactText, number: Int)] = []

    /// Creates a writer without bytes.
    init() {}

    /// Creates a writer with room for so many bytes.
    init(reserving count: Int) { bytes.reserveCapacity(count) }

    /// Forgets the bytes, and keeps the room for them.
    mutating func removeBytes() { bytes.removeAll(keepingCapacity: true) }

    /// Writes one byte.
    mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// Writes bytes as they are.
    mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

    /// Writes a number of a fixed width.
    mutating func fixed(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes a number in as many groups of seven bits as it takes, the lowest first.
    mutating func count(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a count of things that are there.
    mutating func count(_ value: Int) { count(UInt64(value)) }

    /// Writes a number of either sign, small ones short.
    mutating func signed(_ value: Int64) { count(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    /// Writes a text with its length.
    mutating func text(_ value: ExactText) {
        count(value.string.utf8.count)
        raw(value.string.utf8)
    }

    /// Writes the names to which numbers refer.
    mutating func table(_ names: [ExactText]) {
        count(names.count)
        for name in names { text(name) }
    }

    /// Writes the number of a name.
    mutating func name(_ name: ExactText) { count(number(of: name)) }

    /// Returns the number of a name, which gets one if it has none.
    mutating func number(of name: ExactText) -> Int {
        // Objects of one class come one after the other, and the numbers of their properties are remembered with these.
        if lastNumber < names.count, names[lastNumber] == name { return lastNumber }
        lastNumber = findNumber(of: name)
        return lastNumber
    }

    private mutating func findNumber(of name: ExactText) -> Int {
        // Most changes have few names: to compare these costs less than to hash one.
        if numbers.isEmpty, let number = names.firstIndex(of: name) { return number }
        if let number = numbers[name] { return number }
        let number = names.count
        names.append(name)
        if !numbers.isEmpty {
            numbers[name] = number
        } else if names.count > Self.fewNames {
            for (index, name) in names.enumerated() { numbers[name] = index }
        }
        return number
    }

    /// Gives the names of another writer the numbers that they have there, as the first ones.
    mutating func takeNames(of other: ChangeWriter) { (names, numbers) = (other.names, other.numbers) }

    /// How many names are looked through rather than hashed.
    private static let fewNames = 8

    /// Writes an element; nil as 0.
    mutating func element(_ id: ElementID?) { fixed(id?.bits ?? 0) }
}

// MARK: - Values

extension ChangeWriter {
    mutating func value(_ value: CellValue) {
        byte(value.tag)
        switch value {
        case .null, .bool: break
        case .int(let value): fixed(value)
        case .float(let value): fixed(value.bitPattern)
        case .double(let value), .date(let value): fixed(value.bitPattern)
        case .string(let value): text(value)
        case .data(let value):
            count(value.count)
            raw(value)
        case .objectId(let value): value.withUnsafeBytes { bytes.append(contentsOf: $0) }
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        case .decimal128(let value):
            fixed(value.low)
            fixed(value.high)
        case .link(let target), .anyLink(let target): object(target)
        case .life(let life): element(life.id)
        }
    }

    mutating func object(_ object: ObjectAddress) {
        name(object.className)
        key(object.key)
    }

    mutating func key(_ key: PrimaryKey) {
        switch key {
        case .null: value(.null)
        case .int(let key): value(.int(key))
        case .string(let key): value(.string(key))
        case .objectId(let key): value(.objectId(key))
        case .uuid(let key): value(.uuid(key))
        }
    }

    mutating func cells(_ cells: ChangeOperation.Cells) {
        count(cells.count)
        if cells.count != cellNames.count || !zip(cells, cellNames).allSatisfy({ $0.key == $1.text }) {
            cellNames.removeAll(keepingCapacity: true)
            for (name, _) in cells { cellNames.append((name, number(of: name))) }
        }
        for (cell, name) in zip(cells, cellNames) {
            count(name.number)
            value(cell.value)
        }
    }

    mutating func path(_ path: CellPath) {
        count(path.steps.count)
        for step in path.steps {
            byte(step.tag)
            switch step {
            case .property(let name): self.name(name)
            case .life(let id), .element(let id): element(id)
            case .key(let key): text(key)
            case .member(let member): value(member)
            }
        }
    }
}

extension CellPath.Step {
    static let propertyTag: UInt8 = 1

    /// The number of the kind of step in formats.
    fileprivate var tag: UInt8 {
        switch self {
        case .property: Self.propertyTag
        case .life: 2
        case .key: 3
        case .element: 4
        case .member: 5
        }
    }
}
