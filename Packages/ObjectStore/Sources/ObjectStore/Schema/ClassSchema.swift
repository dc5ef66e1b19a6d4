import EventModel
import ObjectQueries
import Observation
import Synchronization

/// What the store knows about a model class; made once for each class of the process.
@usableFromInline
final class ClassSchema: Sendable {
    let type: ObjectBase.Type
    let name: String
    let properties: [PersistedProperty]
    /// The properties that show which links lead to an object; their slots come behind.
    let origins: [OriginProperty]
    let primaryKeySlot: Int?
    /// How new objects get their row keys from their primary key; nil when rows have keys of their own.
    let rowKey: RowKeySource?
    /// The slot of the primary key that is the row key, which has no column then.
    var rowKeySlot: Int? { rowKey?.slot }
    /// Whether the primary key may be null.
    let isKeyOptional: Bool
    let isEmbedded: Bool
    /// Whether the class is known from a file only.
    let isDynamic: Bool
    /// Whether objects of the class can be created only.
    var isAsymmetric: Bool { type is AsymmetricObject.Type }
    let slots: SlotTable
    /// The shape of whole snapshots: links and collections are packed.
    let shape: ClassShape
    /// The shape of the rows that serve property reads: a link is the row key of its target, collections are absent.
    let rowShape: ClassShape
    /// A row of which everything is null, of version 0.
    let blank: ObjectSnapshot
    /// The properties that have a column, by their place in an insertion.
    let columns: ContiguousArray<ColumnWriter>
    /// Where files keep the values of each property.
    let places: [PropertyPlace]
    /// The slots of collections.
    let collectionSlots: [Int]
    /// The slots of single links and embedded objects.
    let linkSlots: [Int]
    /// The slots of single values of any type.
    let anySlots: [Int]
    /// Whether a property, single or a collection, holds values of any type.
    let hasAny: Bool
    /// Whether objects of the class can be encoded, for which their wrappers must know them.
    let isEncodable: Bool
    /// Whether Swift's Observation may track the properties of objects, which the class asks for by its conformance.
    let isObservable: Bool
    /// Whether rows and whole snapshots are the same because there are no links and no collections.
    let isFlat: Bool

    private static let known = Mutex<[ObjectIdentifier: ClassSchema]>([:])

    /// Returns the one class of the process whose schema is known and fits; nil for none and for several.
    static func onlyType(where fits: (ClassSchema) -> Bool) -> ObjectBase.Type? {
        let types = known.withLock { known in known.values.filter(fits) }
        return types.count == 1 ? types[0].type : nil
    }

    /// Returns the schema of a class.
    ///
    /// - Throws: ``Realm/Error`` with all problems of this class alone.
    static func of(_ type: ObjectBase.Type) throws(Realm.Error) -> ClassSchema {
        try of(type, inside: [])
    }

    /// The same inside other embedded classes, which must not come again.
    private static func of(_ type: ObjectBase.Type, inside outer: [ObjectIdentifier]) throws(Realm.Error) -> ClassSchema
    {
        let id = ObjectIdentifier(type)
        if let schema = known.withLock({ $0[id] }) { return schema }
        guard !outer.contains(id) else {
            throw Realm.Error(.invalidInput, "The embedded class '\(type.className())' contains itself.")
        }
        let schema = try ClassSchema(reflecting: type, inside: outer + [id])
        return known.withLock { known in
            // Two threads may have made it; all must use the same shapes.
            if let first = known[id] { return first }
            known[id] = schema
            return schema
        }
    }

    private convenience init(reflecting type: ObjectBase.Type, inside outer: [ObjectIdentifier]) throws(Realm.Error) {
        let (declarations, origins) = Self.declarations(of: type)
        let problems =
            SchemaRules.problems(of: type, declarations, origins) + SchemaRules.problems(named: type, declarations)
        guard problems.isEmpty else { throw SchemaRules.error(problems) }
        var embedded: [ObjectIdentifier: ClassShape] = [:]
        for property in declarations where property.type.kind == .embedded {
            guard let target = property.type.target else { continue }
            embedded[ObjectIdentifier(target)] = try Self.of(target, inside: outer).shape
        }
        self.init(
            type: type,
            name: type.className(),
            properties: declarations,
            origins: origins,
            isEmbedded: type is EmbeddedObject.Type,
            targetName: { $0.className() },
            embeddedShapes: embedded
        )
    }

    /// Makes a schema of declarations that keep the rules.
    ///
    /// `targetName` returns the stored name of a class that a property refers to, `embeddedShapes` are the shapes of
    /// the embedded ones.
    init(
        type: ObjectBase.Type,
        name: String,
        properties declarations: [PersistedProperty],
        origins: [OriginProperty] = [],
        isEmbedded: Bool,
        targetName: (ObjectBase.Type) -> String,
        embeddedShapes: [ObjectIdentifier: ClassShape]
    ) {
        self.type = type
        self.name = name
        properties = declarations
        self.origins = origins
        primaryKeySlot = declarations.firstIndex(where: \.isPrimaryKey)
        isKeyOptional = declarations.contains { $0.isPrimaryKey && $0.type.isOptional }
        self.isEmbedded = isEmbedded
        isDynamic = type is any ClassStandIn.Type
        slots = SlotTable(offsets: declarations.map(\.offset) + origins.map(\.offset))
        columns = ContiguousArray(declarations.filter(\.isColumn).map(ColumnWriter.init))
        collectionSlots = declarations.filter { !$0.isColumn }.map(\.slot)
        linkSlots = declarations.filter { $0.isColumn && $0.type.target != nil }.map(\.slot)
        anySlots = declarations.filter { $0.isColumn && $0.type.kind == .any }.map(\.slot)
        hasAny = declarations.contains { $0.type.kind == .any }
        isEncodable = type is any Encodable.Type
        isObservable = type is any Observable.Type
        isFlat = declarations.allSatisfy { $0.isColumn && ![.any, .link, .embedded].contains($0.type.kind) }

        var whole: [PropertyShape] = []
        var row: [PropertyShape] = []
        for property in declarations {
            let target = property.type.target
            whole.append(
                PropertyShape(
                    name: property.name,
                    columnName: property.columnName,
                    kind: property.type.kind,
                    collection: property.type.collection,
                    isOptional: property.type.isOptional,
                    targetClass: target.map(targetName),
                    embeddedShape: property.type.kind == .embedded
                        ? target.flatMap { embeddedShapes[ObjectIdentifier($0)] } : nil
                )
            )
            row.append(
                PropertyShape(
                    name: property.name,
                    columnName: property.columnName,
                    kind: target == nil ? property.type.kind : .int,
                    isOptional: property.type.isOptional
                )
            )
        }
        shape = ClassShape(
            name: name,
            properties: whole,
            primaryKeySlot: primaryKeySlot,
            isEmbedded: isEmbedded,
            representation: DetachedCopy.representation(of: type)
        )
        rowKey = shape.rowKeySlot.flatMap { RowKeySource(declarations[$0]) }
        places = whole.map { PropertyPlace(name, $0) }
        rowShape =
            isFlat
            ? shape
            : ClassShape(name: name, properties: row, primaryKeySlot: primaryKeySlot, isEmbedded: isEmbedded)
        var writer = SnapshotWriter(shape: rowShape, chunkByteCount: 0)
        writer.begin(key: 0, version: 0)
        blank = writer.finish()
    }

    /// The persisted properties, those of superclasses first, and those that show which links lead to an object.
    private static func declarations(of type: ObjectBase.Type) -> ([PersistedProperty], [OriginProperty]) {
        // The flags of a declaration are in its wrapper, so that an object is needed to see them.
        let sample = type.init()
        defer { withExtendedLifetime(sample) {} }
        let names = type.propertiesMapping()
        let (keyName, indexedNames) = (type.primaryKey(), type.indexedProperties())
        var properties: [PersistedProperty] = []
        var linking: [(name: String, field: StoredField, wrapper: any PersistedField.Type)] = []
        for field in StoredField.all(of: type) {
            guard let wrapper = field.type as? any PersistedField.Type else { continue }
            let name = field.name.hasPrefix("_") ? String(field.name.dropFirst()) : field.name
            if wrapper.valueType is any LinkingObjectsProtocol.Type {
                linking.append((name, field, wrapper))
                continue
            }
            properties.append(
                PersistedProperty(
                    slot: properties.count,
                    name: name,
                    columnName: names[name] ?? name,
                    type: wrapper.valueType._propertyType,
                    offset: field.offset,
                    options: wrapper.options(at: address(of: field, in: sample))
                        .union(name == keyName ? .primaryKey : []).union(indexedNames.contains(name) ? .indexed : []),
                    wrapper: wrapper,
                    operations: wrapper.valueType._operations,
                    hasInitialValue: { wrapper.hasValue(at: $0) }
                )
            )
        }
        let origins = linking.enumerated()
            .compactMap { index, declaration -> OriginProperty? in
                let (name, field, wrapper) = declaration
                guard let valueType = wrapper.valueType as? any LinkingObjectsProtocol.Type else { return nil }
                return OriginProperty(
                    slot: properties.count + index,
                    name: name,
                    offset: field.offset,
                    type: valueType,
                    origin: wrapper.originProperty(at: address(of: field, in: sample))
                )
            }
        return (properties, origins)
    }

    private static func address(of field: StoredField, in sample: ObjectBase) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(sample).toOpaque()) + field.offset
    }

    /// The property of a Swift name.
    func property(named name: String) -> PersistedProperty? {
        properties.first { $0.name == name }
    }
}

// MARK: - Slots

extension ClassSchema {
    /// How many properties have a slot, stored or not.
    var slotCount: Int { properties.count + origins.count }

    /// The name of a property, stored or not.
    func propertyName(_ slot: Int) -> String {
        slot < properties.count ? properties[slot].name : origin(at: slot).name
    }

    /// The property of a Swift name that shows which links lead to an object.
    func origin(named name: String) -> OriginProperty? {
        origins.isEmpty ? nil : origins.first { $0.name == name }
    }

    /// The property of a slot behind those of the stored ones.
    func origin(at slot: Int) -> OriginProperty { origins[slot - properties.count] }
}
