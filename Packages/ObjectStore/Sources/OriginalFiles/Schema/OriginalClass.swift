/// A class, as a file of the original has it.
///
/// ```swift
/// for found in file.classes { print(found.name, found.count) }
/// ```
package struct OriginalClass {
    /// What its objects are for.
    package enum Kind: Int64, Sendable {
        /// They stand by themselves.
        case topLevel = 0
        /// They are part of another one.
        case embedded = 1
        /// They go to a server and are not kept.
        case asymmetric = 2
    }

    /// The name under which it is stored.
    package let name: String
    /// What its objects are for.
    package let kind: Kind
    /// Its properties, in the order in which they were added.
    package let properties: [OriginalProperty]
    /// The index of the primary key among them.
    package let primaryKey: Int?
    /// Where its objects lie.
    let clusters: ClusterIndex

    /// How many objects it has.
    package var count: Int { clusters.count }

    /// Whether an object's primary key is a number that is always there.
    package var hasIntKey: Bool {
        guard let primaryKey, kind == .topLevel else { return false }
        return properties[primaryKey].type == .int && !properties[primaryKey].isOptional
    }
}
