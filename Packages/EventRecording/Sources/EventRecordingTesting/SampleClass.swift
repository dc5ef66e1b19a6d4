public import EventModel

/// A class with an integer primary key and one link property of each kind, all to the same target class.
///
/// Its objects are named by their row key, which is also their primary key.
public struct SampleClass: Sendable {
    /// The slot of the to-one link.
    public static let linkSlot = 1
    /// The slot of the list of links.
    public static let listSlot = 2
    /// The slot of the set of links.
    public static let setSlot = 3
    /// The slot of the dictionary of links.
    public static let mapSlot = 4
    /// The slot of a single `any` value.
    public static let anySlot = 5

    /// The shape of the class.
    public let shape: ClassShape

    /// Creates a class.
    ///
    /// - Parameters:
    ///   - name: The name of the class.
    ///   - target: The name of the class that the links lead to; nil for the class itself.
    public init(_ name: String, linkingTo target: String? = nil) {
        let target = target ?? name
        shape = ClassShape(
            name: name,
            properties: [
                PropertyShape(name: "_id", kind: .int),
                PropertyShape(name: "link", kind: .link, isOptional: true, targetClass: target),
                PropertyShape(name: "list", kind: .link, collection: .list, targetClass: target),
                PropertyShape(name: "set", kind: .link, collection: .set, targetClass: target),
                PropertyShape(name: "map", kind: .link, collection: .dictionary, targetClass: target),
                PropertyShape(name: "any", kind: .any, isOptional: true),
            ],
            primaryKeySlot: 0
        )
    }

    /// Makes a whole snapshot of an object.
    public func snapshot(_ key: Int64, version: UInt64 = 1) -> ObjectSnapshot {
        var writer = SnapshotWriter(shape: shape, chunkByteCount: shape.variableOffset)
        writer.begin(key: key, version: version, whole: true)
        writer.set(0, int: key)
        return writer.finish()
    }

    /// Makes whole snapshots of several objects, in the order given.
    public func snapshots(_ keys: some Sequence<Int64>, version: UInt64 = 1) -> [ObjectSnapshot] {
        var writer = SnapshotWriter(shape: shape)
        return keys.map { key in
            writer.begin(key: key, version: version, whole: true)
            writer.set(0, int: key)
            return writer.finish()
        }
    }
}
