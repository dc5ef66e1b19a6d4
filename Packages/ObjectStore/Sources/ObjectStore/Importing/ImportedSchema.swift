import EventModel
import Foundation
import ObjectQueries
import OriginalFiles

/// The classes of a file of the original as the new file describes them.
struct ImportedSchema {
    let file: OriginalFile
    /// The descriptions, by the index of the class in the file; nil for a class whose objects are not kept.
    let classes: [StoredClass?]
    /// The indexes, holders before the embedded classes that they hold.
    let order: [Int]

    /// Describes the classes.
    ///
    /// - Throws: An ``OriginalFileError`` when the new file cannot have them under their names.
    init(_ file: OriginalFile) throws(OriginalFileError) {
        self.file = file
        classes = file.classes.map { found in
            guard found.kind != .asymmetric else { return nil }
            return StoredClass(
                name: found.name,
                isEmbedded: found.kind == .embedded,
                properties: found.properties.enumerated()
                    .map { slot, property in Self.describe(property, isKey: slot == found.primaryKey, in: file) }
            )
        }
        order = try Self.sorted(file)
        try requireNames()
    }

    private static func describe(_ property: OriginalProperty, isKey: Bool, in file: OriginalFile) -> StoredProperty {
        let target = property.target.map { file.classes[$0] }
        let collection: PropertyShape.Collection =
            switch property.collection {
            case .none: .none
            case .list: .list
            case .set: .set
            case .dictionary: .dictionary
            }
        // Whether an object may be missing follows from where it is.
        let isOptional =
            target == nil
            ? property.isOptional || property.type == .mixed : collection == .none || collection == .dictionary
        return StoredProperty(
            name: property.name,
            kind: kind(property.type, isEmbedded: target?.kind == .embedded),
            collection: collection,
            isOptional: isOptional,
            target: target?.name,
            isPrimaryKey: isKey
        )
    }

    private static func kind(_ type: OriginalType, isEmbedded: Bool) -> PropertyShape.Kind {
        switch type {
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .data: .data
        case .date: .date
        case .float: .float
        case .double: .double
        case .decimal: .decimal128
        case .objectId: .objectId
        case .uuid: .uuid
        case .link, .linkList: isEmbedded ? .embedded : .link
        case .mixed, .backlink, .typedLink, .nestedList, .nestedDictionary: .any
        }
    }

    /// Sorts the classes, so that it is known which embedded objects belong to others before they are written.
    private static func sorted(_ file: OriginalFile) throws(OriginalFileError) -> [Int] {
        let holders = file.classes.indices.filter { file.classes[$0].kind == .topLevel }
        var order = holders
        var waiting = file.classes.indices.filter { file.classes[$0].kind == .embedded }
        while !waiting.isEmpty {
            let held = Set(waiting.flatMap { file.classes[$0].properties.compactMap(\.target) })
            let next = waiting.filter { !held.contains($0) }
            guard !next.isEmpty else {
                throw .unsupported(
                    what:
                        "the embedded class '\(file.classes[waiting[0]].name)' lies inside itself, which no class here can"
                )
            }
            order += next
            waiting.removeAll(where: next.contains)
        }
        return order
    }

    /// Checks that the tables and columns can have their names, which are compared without regard to case.
    private func requireNames() throws(OriginalFileError) {
        var tables = Set<String>()
        for found in classes.compactMap({ $0 }) {
            var columns = Set<String>()
            let names = [found.name] + found.properties.filter { !$0.isColumn }.map { "\(found.name).\($0.name)" }
            for name in names {
                let isReserved = name.lowercased().hasPrefix("sqlite_") || name.contains("$") || name.isEmpty
                guard !isReserved else { throw .unsupported(what: "nothing here can be stored as '\(name)'") }
                guard tables.insert(name.lowercased()).inserted else {
                    throw .unsupported(
                        what: "it has two classes or collections whose names differ at most in case, as '\(name)'"
                    )
                }
            }
            for property in found.properties {
                let name = "\(found.name).\(property.name)"
                guard !property.name.isEmpty, !property.name.contains("$") else {
                    throw .unsupported(what: "nothing here can be stored as '\(name)'")
                }
                guard columns.insert(property.name.lowercased()).inserted else {
                    throw .unsupported(what: "it has two properties whose names differ at most in case, as '\(name)'")
                }
            }
        }
    }

    // MARK: Tables

    /// Makes the tables in an empty file, without the indexes that are sooner made when there are rows.
    ///
    /// - Returns: The statements that make these.
    func createTables(_ connection: Connection) throws(Realm.Error) -> [String] {
        let stored = StoredSchema(connection)
        let version = file.schemaVersion ?? 0
        try stored.create(version: version)
        try stored.complete(RealmSchema(checked: ClassSchema.dynamic(classes.compactMap { $0 })))
        let select = try connection.prepare(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY rowid"
        )
        var indexes: [(name: String, sql: String)] = []
        while try select.step() { indexes.append((select.text(0), select.text(1))) }
        let later = indexes.filter { index in Self.suffixes.contains { index.name.hasSuffix($0) } }
        for index in later { try connection.execute("DROP INDEX \(StorageNames.quoted(index.name))") }
        return later.map(\.sql) + wantedIndexes
    }

    /// The ends of the names of indexes that nothing is looked up in while rows are written.
    private static let suffixes = ["$key", "$link", "$owner"]

    /// The indexes that the app declared.
    private var wantedIndexes: [String] {
        zip(file.classes, classes)
            .flatMap { found, stored in
                guard let stored else { return [String]() }
                return zip(found.properties, stored.properties)
                    .filter { $0.isIndexed && $1.isColumn && !$1.isPrimaryKey }
                    .map { _, property in
                        let name = StorageNames.quoted("\(stored.name).\(property.name)$index")
                        let column = StorageNames.quoted(property.name)
                        return "CREATE INDEX IF NOT EXISTS \(name) ON \(StorageNames.table(stored.name)) (\(column))"
                    }
            }
    }
}
