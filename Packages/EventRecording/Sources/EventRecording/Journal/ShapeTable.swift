import EventModel

/// The classes that a journal speaks of, each written once and then named by its number.
struct ShapeTable {
    private var shapes: [Int: ClassShape] = [:]
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var last: (shape: ClassShape, number: Int)?
    /// The classes whose blocks were not written yet.
    private(set) var unwritten: [Int] = []

    /// The number of a class, a new one if the journal does not know it yet.
    mutating func number(of shape: ClassShape) -> Int {
        // Most captures in a row are of one class.
        if let last, last.shape === shape { return last.number }
        let number: Int
        if let known = numbers[ObjectIdentifier(shape)] {
            number = known
        } else {
            number = shapes.count
            insert(shape, number: number)
            unwritten.append(number)
        }
        last = (shape, number)
        return number
    }

    /// The class with a number; nil when there is none.
    subscript(number: Int) -> ClassShape? { shapes[number] }

    /// Takes over a class that was read.
    mutating func insert(_ shape: ClassShape, number: Int) {
        shapes[number] = shape
        numbers[ObjectIdentifier(shape)] = number
    }

    /// The block of a class.
    func block(_ number: Int) -> [UInt8] {
        var writer = ByteWriter()
        guard let shape = shapes[number] else { return [] }
        writer.append(JournalBlockKind.shape.rawValue)
        writer.append(count: number)
        writer.append(shape)
        return writer.bytes
    }

    /// Notes that the block of a class was written.
    mutating func didWrite(_ number: Int) {
        unwritten.removeAll { $0 == number }
    }

    /// Reads the rest of a block whose kind was read.
    static func read(_ reader: inout ByteReader) throws(RecordingError) -> (number: Int, ClassShape) {
        (try reader.count(), try reader.shape(depth: 0))
    }
}

// MARK: - Coding of classes

/// What the flags of a class mean.
private enum ShapeFlags {
    static let isEmbedded: UInt8 = 1
    /// The class makes its JSON itself.
    static let isCustom: UInt8 = 2
}

extension ByteWriter {
    fileprivate mutating func append(_ shape: ClassShape) {
        append(text: shape.name)
        append((shape.isEmbedded ? ShapeFlags.isEmbedded : 0) | (shape.representation == nil ? 0 : ShapeFlags.isCustom))
        append(count: shape.primaryKeySlot.map { $0 + 1 } ?? 0)
        append(count: shape.properties.count)
        for property in shape.properties {
            append(text: property.name)
            append(text: property.columnName)
            append(property.kind.rawValue)
            append(property.collection.rawValue)
            append(property.isOptional ? 1 : 0)
            append(optional: property.targetClass)
            if let embedded = property.embeddedShape { append(embedded) }
        }
    }
}

extension ByteReader {
    /// How deep classes may be embedded in each other; the store does not come near it.
    private static let maximumDepth = 100

    fileprivate mutating func shape(depth: Int) throws(RecordingError) -> ClassShape {
        guard depth < Self.maximumDepth else { throw .damagedJournal(reason: "classes lie too deep in each other") }
        let name = try text()
        let flags = try byte()
        let primaryKey = try count() - 1
        let count = try elementCount()
        var properties: [PropertyShape] = []
        for _ in 0..<count { properties.append(try property(depth: depth)) }
        guard primaryKey < count else { throw .damagedJournal(reason: "a primary key is not a property") }
        return ClassShape(
            name: name,
            properties: properties,
            primaryKeySlot: primaryKey < 0 ? nil : primaryKey,
            isEmbedded: flags & ShapeFlags.isEmbedded != 0,
            representation: flags & ShapeFlags.isCustom == 0 ? nil : Self.missingRepresentation(of: name)
        )
    }

    /// What takes the place of the code of a class: its objects must not be shown otherwise than it wants.
    private static func missingRepresentation(of className: String) -> ClassShape.Representation {
        { _ in throw RecordingError.representationMissing(className: className) }
    }

    private mutating func property(depth: Int) throws(RecordingError) -> PropertyShape {
        let name = try text()
        let columnName = try text()
        guard let kind = PropertyShape.Kind(rawValue: try byte()),
            let collection = PropertyShape.Collection(rawValue: try byte())
        else { throw .damagedJournal(reason: "a property is of an unknown kind") }
        let isOptional = try byte() != 0
        let target = try optionalText()
        return PropertyShape(
            name: name,
            columnName: columnName,
            kind: kind,
            collection: collection,
            isOptional: isOptional,
            targetClass: target,
            embeddedShape: kind == .embedded ? try shape(depth: depth + 1) : nil
        )
    }
}

extension ClassShape {
    /// Whether rows of both classes mean the same.
    func isEqual(to other: ClassShape) -> Bool {
        self === other
            || name == other.name && isEmbedded == other.isEmbedded && primaryKeySlot == other.primaryKeySlot
                && (representation == nil) == (other.representation == nil)
                && properties.elementsEqual(other.properties) { $0.isEqual(to: $1) }
    }
}

extension PropertyShape {
    fileprivate func isEqual(to other: PropertyShape) -> Bool {
        guard name == other.name, columnName == other.columnName, kind == other.kind, collection == other.collection,
            isOptional == other.isOptional, targetClass == other.targetClass
        else { return false }
        switch (embeddedShape, other.embeddedShape) {
        case (let own?, let others?): return own.isEqual(to: others)
        case (nil, nil): return true
        case (_?, nil), (nil, _?): return false
        }
    }
}
