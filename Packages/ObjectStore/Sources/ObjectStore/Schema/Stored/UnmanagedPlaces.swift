import EventModel

/// What a file has beyond what an instance manages: classes of other programs, and properties that a newer one added.
///
/// What refers to an object, or lies inside it, must not outlive it, whoever declared that.
struct UnmanagedPlaces {
    /// The classes that the file describes, by name.
    private let classes: [String: StoredClass]
    /// The properties that the instance does not manage.
    let all: [PropertyPlace]
    /// Whether any of them holds values of any type.
    let hasAny: Bool

    /// Compares a file with what an instance manages.
    ///
    /// - Parameters:
    ///   - classes: The classes that the file describes.
    ///   - managed: The classes of the instance.
    ///   - isMigration: Whether the tables of the managed classes are being changed to what the program says: what the file
    ///     still says of them is not true any more.
    init(_ classes: [String: StoredClass], managed: [ClassSchema], isMigration: Bool) {
        self.classes = classes
        let known = Dictionary(managed.map { ($0.name, $0) }) { first, _ in first }
        all = classes.values.sorted { $0.name < $1.name }
            .flatMap { stored -> [PropertyPlace] in
                let schema = known[stored.name]
                if schema != nil, isMigration { return [] }
                return stored.properties
                    .filter { property in schema?.properties.contains { $0.columnName == property.name } != true }
                    .map { PropertyPlace(stored.name, $0) }
            }
        hasAny = all.contains { $0.kind == .any }
    }

    /// The properties of a class.
    func places(of className: String) -> [PropertyPlace] { all.filter { $0.className == className } }

    /// The properties that refer to objects of a class.
    func places(referringTo className: String) -> [PropertyPlace] { all.filter { $0.target == className } }

    /// Whether the rows of a class have primary keys for row keys, so that none are to be kept for others.
    func hasRowKey(_ className: String) -> Bool { classes[className]?.rowKey != nil }

    /// Whether the file describes a class.
    func has(_ className: String) -> Bool { classes[className] != nil }

    /// Whether a property may be null; a list, set or map may not.
    func isOptional(_ place: PropertyPlace) -> Bool {
        place.kind == .any || place.kind == .embedded
            || classes[place.className]?.property(named: place.name)?.isOptional ?? false
    }

    /// Whether the file says that a class is embedded.
    func isEmbedded(_ className: String) -> Bool { classes[className]?.isEmbedded ?? false }
}
