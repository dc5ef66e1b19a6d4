import ObjectQueries

/// A type of properties that show which links lead to their object; ``LinkingObjects`` is the only one.
public protocol LinkingObjectsProtocol: _Persistable {
    /// Creates the value of a declaration.
    init(_originProperty: String)
    /// The property that links, as declared.
    var _originProperty: String { get }
    /// The class of the objects that link.
    static var _originType: ObjectBase.Type { get }
}

/// The objects whose links lead to the object that the property belongs to.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
/// The property is read-only and follows the links: an object that links twice, such as from two places of a list,
/// appears twice. It is empty while the object is unmanaged. The order is that in which the objects were added.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue> {
    /// The name of the property whose links are followed.
    public let _originProperty: String
    /// The object that the links lead to, with the query for those that link; nil while unmanaged.
    private let managed: (target: ObjectCore, slot: Int, state: ObjectResultState)?

    /// Creates the value of a property that is declared without `@Persisted`; it is always empty.
    ///
    /// - Parameters:
    ///   - type: The class of the objects that link.
    ///   - property: Their property that links.
    public init(fromType type: Element.Type, property: String) {
        self.init(_originProperty: property)
    }

    /// Creates the value of a declaration.
    public init(_originProperty: String) {
        self._originProperty = _originProperty
        managed = nil
    }

    private init(_ target: ObjectCore, _ property: OriginProperty, _ realm: RealmCore) {
        _originProperty = property.origin ?? ""
        managed = (target, property.slot, property.origins(of: target, in: realm))
    }

    /// The object that the links lead to, and the slot behind its properties; nil while unmanaged.
    var target: (core: ObjectCore, slot: Int)? { managed.map { ($0.target, $0.slot) } }

    /// The realm that manages the object; nil while unmanaged and once invalidated.
    public var realm: Realm? { isInvalidated ? nil : managed?.target.realm.map(Realm.init(core:)) }

    /// Whether the object that the links lead to was deleted.
    public var isInvalidated: Bool { managed.map { !$0.target.isValid } ?? false }
}

// MARK: - Collection

extension LinkingObjects: RealmCollection {
    /// The objects as a result; none while unmanaged.
    public var _results: Results<Element> {
        guard let managed else { return Results(memory: []) }
        guard managed.target.isValid else {
            misuse(
                """
                Linking objects of '\(managed.target.table.schema.name)' were used after their object was deleted or its \
                realm was invalidated; check 'isInvalidated' first.
                """
            )
        }
        return Results(managed.state)
    }

    /// The objects, of which something is shown: an observer is given what they link to.
    private var shown: Results<Element> {
        let results = _results
        managed?.target.show()
        return results
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many links lead to the object.
    public var endIndex: Int { shown.count }
    /// The first object that links; nil when there is none.
    public var first: Element? { shown.first }
    /// The last object that links; nil when there is none.
    public var last: Element? { shown.last }

    /// Reads an object that links.
    ///
    /// - Precondition: `0 <= position < count`.
    public subscript(position: Int) -> Element { shown[position] }

    /// Iterates over the objects that link now.
    public func makeIterator() -> ResultsIterator<Element> { shown.makeIterator() }

    /// Whether both show the links to the same object, or are the same declaration.
    public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
        guard left._originProperty == right._originProperty else { return false }
        guard let first = left.managed, let second = right.managed else {
            return left.managed == nil && right.managed == nil
        }
        return first.target === second.target || first.target.isSameRow(as: second.target)
    }

    /// The class and the count of objects.
    public var description: String {
        isInvalidated
            ? "LinkingObjects<\(Element.className())> (invalidated)"
            : "LinkingObjects<\(Element.className())> of \(count) elements"
    }
}

extension OriginProperty {
    /// The query for the objects whose links lead to an object, always the same one.
    func origins(of target: ObjectCore, in realm: RealmCore) -> ObjectResultState {
        target.collection(slot) {
            let table = realm.requireTable(self.target)
            return ObjectResultState(
                realm,
                table,
                QueryPlan(table.schema.name, source: .origins(key: target.key, property: origin ?? "")),
                // Only its parent links to an embedded object.
                parent: table.schema.isEmbedded ? target.parent?.parent : nil
            )
        }
    }
}

// MARK: - Property

extension LinkingObjects: LinkingObjectsProtocol {
    /// Not stored at all.
    public typealias PersistedType = LinkingObjects
    /// The class of the objects that link.
    public static var _originType: ObjectBase.Type { Element.self }
    /// Links to several objects; nothing is stored for them.
    public static var _propertyType: _PropertyType {
        _PropertyType(kind: .link, collection: .list, target: Element.self)
    }
    /// Nothing; only what a declaration without `originProperty` has, which no realm accepts.
    public static func _defaultValue() -> LinkingObjects { LinkingObjects(_originProperty: "") }
    /// The links to a managed object.
    public static func _read(_ core: ObjectCore, _ slot: Int) -> LinkingObjects {
        let property = core.table.schema.origin(at: slot)
        // A recorder of key paths has no realm.
        guard let realm = core.realm else { return LinkingObjects(_originProperty: property.origin ?? "") }
        return LinkingObjects(core, property, realm)
    }
    /// Traps: the links are changed where they are.
    public static func _assign(_ value: LinkingObjects, _ core: ObjectCore, _ slot: Int) {
        misuse(
            """
            '\(core.table.schema.name).\(core.table.schema.propertyName(slot))' was assigned to; linking objects are \
            read-only, change the links instead.
            """
        )
    }
    /// Traps: the links are changed where they are.
    public static func _store(_ value: LinkingObjects, in stored: inout LinkingObjects?) {
        misuse(
            "Linking objects of '\(Element.className())' were assigned; they are read-only, change the links instead."
        )
    }
    /// Read only: nothing is stored for the property.
    public static var _operations: _PropertyOperations {
        let nothing = LinkOperations(stored: { _ in nil }, store: { _, _ in })
        return _PropertyOperations(role: .link(nothing)) { core, slot in _read(core, slot) }
    }
}
