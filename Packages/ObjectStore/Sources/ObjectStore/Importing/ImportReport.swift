extension Realm {
    /// What an import brought into the new file, class by class.
    ///
    /// The counts and sums were made of both files, each on its own, and were equal: otherwise there would be an error and no file. As text
    /// it is a table for people.
    ///
    /// ```swift
    /// let report = try Realm.importOriginal(from: old, into: configuration)
    /// print(report)
    /// ```
    public struct ImportReport: Sendable, Hashable {
        /// What was brought of one class.
        public struct ImportedClass: Sendable, Hashable {
            /// The stored name.
            public let name: String
            /// How many objects the new file has of it.
            public let objectCount: Int
            /// A sum over all values of these objects, as 32 hexadecimal digits.
            public let digest: String
            /// How many objects were left out: embedded ones that belong to no object, and those that only go to a server.
            public let leftOutObjects: Int
            /// How many links led to objects that the old file does not have any more; they are nil, or no elements.
            public let unresolvedLinks: Int
            /// How many elements of sets were equal to another one here, such as dates that differ by less than a `Date` tells.
            public let mergedElements: Int
        }

        /// The format of the old file.
        public let format: Int
        /// The version of the schema, which the new file has too; 0 when the app never said one.
        public let schemaVersion: UInt64
        /// The classes, by name.
        public let classes: [ImportedClass]
        /// How the classes of the file differ from those that the configuration names; empty when it names none.
        ///
        /// All that the file has was imported. Those with ``SchemaChange/needsMigration`` need a higher `schemaVersion` when it is opened.
        public let differences: [SchemaChange]

        /// How many objects the new file has.
        public var objectCount: Int { classes.reduce(0) { $0 + $1.objectCount } }
    }
}

extension Realm.ImportReport: CustomStringConvertible {
    /// A line for each class, and one for each difference of the schemas.
    public var description: String {
        var lines = ["Format \(format), schema version \(schemaVersion), \(objectCount) objects."]
        for found in classes {
            var line = "\(found.name): \(found.objectCount) objects, \(found.digest)"
            if found.leftOutObjects > 0 { line += ", \(found.leftOutObjects) objects left out" }
            if found.unresolvedLinks > 0 { line += ", \(found.unresolvedLinks) links without an object" }
            if found.mergedElements > 0 { line += ", \(found.mergedElements) equal elements of sets" }
            lines.append(line)
        }
        return (lines + differences.map(\.description)).joined(separator: "\n")
    }
}
