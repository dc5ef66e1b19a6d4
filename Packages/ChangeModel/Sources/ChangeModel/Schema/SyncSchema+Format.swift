public import EventModel

extension SyncSchema {
    private static let magic = Array("DAYSCHM1".utf8)
    private static let embedded: UInt8 = 1
    private static let asymmetric: UInt8 = 2
    private static let keyed: UInt8 = 4
    private static let optional: UInt8 = 1
    private static let targeted: UInt8 = 2

    /// The one form that the schema has in bytes: what its hash is over.
    ///
    /// ```
    /// "DAYSCHM1"  count { name  flags  [key]  count { name  kind  collection  flags  [target] } }
    /// flags of a class    = 1 embedded | 2 asymmetric | 4 has a key
    /// flags of a property = 1 optional | 2 has a target
    /// ```
    ///
    /// Classes and properties stand in the order of the bytes of their names.
    ///
    /// - Complexity: O(*n* log *n*) in the properties.
    public var encoded: [UInt8] {
        var writer = ChangeWriter()
        writer.raw(Self.magic)
        writer.count(classes.count)
        for type in classes.values.sorted(by: { $0.name < $1.name }) {
            writer.text(type.name)
            writer.byte(
                (type.isEmbedded ? Self.embedded : 0) | (type.isAsymmetric ? Self.asymmetric : 0)
                    | (type.key == nil ? 0 : Self.keyed)
            )
            if let key = type.key { writer.text(key) }
            writer.count(type.properties.count)
            for (name, property) in type.properties.sorted(by: { $0.key < $1.key }) {
                writer.text(name)
                writer.byte(property.kind.rawValue)
                writer.byte(property.collection.rawValue)
                writer.byte((property.isOptional ? Self.optional : 0) | (property.target == nil ? 0 : Self.targeted))
                if let target = property.target { writer.text(target) }
            }
        }
        return writer.bytes
    }

    /// Returns the name by which a client and a server know the schema.
    ///
    /// - Parameter hash: Computes a SHA-256; this module has none of its own.
    /// - Returns: The hash of ``encoded``.
    public func hash(_ hash: ChangeChain.Hash) -> Digest { hash(encoded) }

    /// Reads a schema.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no schema or not in their one form, and
    ///   ``ChangeModelError/tooMany(count:limit:)`` and ``ChangeModelError/tooLarge(bytes:limit:)`` when there is more
    ///   than ``ChangeLimits`` allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        var reader = ChangeReader(bytes[...])
        guard try reader.raw(Self.magic.count).elementsEqual(Self.magic) else {
            throw .malformed(offset: 0, reason: "A schema of this version begins with DAYSCHM1.")
        }
        let count = try reader.count(limit: ChangeLimits.classes)
        var classes: [Class] = []
        for _ in 0..<count {
            let type = try Self.readClass(&reader)
            if let last = classes.last, last.name >= type.name {
                throw reader.malformed("The classes stand in the order of their names.")
            }
            classes.append(type)
        }
        guard reader.remaining == 0 else { throw reader.malformed("Something follows the schema.") }
        self.init(classes)
    }

    private static func readClass(_ reader: inout ChangeReader) throws(ChangeModelError) -> Class {
        let name = try reader.text(limit: ChangeLimits.nameBytes)
        let flags = try reader.byte()
        guard flags <= embedded | asymmetric | keyed else { throw reader.malformed("A class has no such flag.") }
        let key = flags & keyed == 0 ? nil : try reader.text(limit: ChangeLimits.nameBytes)
        var properties: [ExactText: Property] = [:]
        var last: ExactText?
        for _ in 0..<(try reader.count(limit: ChangeLimits.properties)) {
            let name = try reader.text(limit: ChangeLimits.nameBytes)
            if let last, last >= name { throw reader.malformed("The properties stand in the order of their names.") }
            properties[name] = try readProperty(&reader)
            last = name
        }
        return Class(
            name,
            key: key,
            isEmbedded: flags & embedded != 0,
            isAsymmetric: flags & asymmetric != 0,
            properties: properties
        )
    }

    private static func readProperty(_ reader: inout ChangeReader) throws(ChangeModelError) -> Property {
        guard let kind = PropertyShape.Kind(rawValue: try reader.byte()),
            let collection = PropertyShape.Collection(rawValue: try reader.byte())
        else { throw reader.malformed("A property has no such type.") }
        let flags = try reader.byte()
        guard flags <= optional | targeted else { throw reader.malformed("A property has no such flag.") }
        return Property(
            kind,
            collection,
            isOptional: flags & optional != 0,
            target: flags & targeted == 0 ? nil : try reader.text(limit: ChangeLimits.nameBytes)
        )
    }
}
