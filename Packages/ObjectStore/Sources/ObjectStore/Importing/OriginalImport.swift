import EventModel
import Foundation
import OriginalFiles
import PageEncryption

/// Makes a file of ours of one of the original.
final class OriginalImport {
    private let fileURL: URL
    private let file: OriginalFile
    private let schema: ImportedSchema
    private let watch: ImportWatch
    /// The key of the new file; nil when it has none.
    private let key: FileKey?
    /// What the new file has, once it is filled.
    private(set) var report: Realm.ImportReport?

    /// What became of one class.
    private struct Outcome {
        let index: Int
        var count = 0
        var digest = ValueDigest()
        var leftOutCount = 0
        var unresolvedCount = 0
        var mergedCount = 0
    }

    /// Opens the old file.
    ///
    /// - Parameters:
    ///   - fileURL: The old file.
    ///   - encryptionKey: The key of the new one; nil when it has none.
    ///   - handler: Is told now and then how far the import is.
    /// - Throws: A `Realm.Error` when it is none of the original, is damaged, or cannot be brought here, and for a key that is none.
    init(
        _ fileURL: URL,
        encryptionKey: Data?,
        _ handler: ((Realm.ImportProgress) -> Bool)?
    ) throws(Realm.Error) {
        self.fileURL = fileURL
        key = try RealmFile.key(encryptionKey, fileURL: fileURL)
        do throws(OriginalFileError) {
            file = try OriginalFile(path: fileURL.path)
            schema = try ImportedSchema(file)
        } catch {
            throw Realm.Error(error, fileURL)
        }
        watch = ImportWatch(total: file.classes.reduce(0) { $0 + $1.count }, handler)
    }

    /// Whether the caller asked for the import to end.
    var isCancelled: Bool { watch.isCancelled }

    private var classNames: [String] { file.classes.map(\.name) }

    /// Fills a new file, which nobody else sees yet, and compares it with the old one.
    ///
    /// - Parameters:
    ///   - made: The new file, empty.
    ///   - configuration: Says whether the new file keeps its changes, and names the classes to compare with.
    /// - Throws: A `Realm.Error` when the old file is damaged, the new one cannot be written, both differ, or the import is to end.
    /// - Complexity: O(*n*) in the objects and elements; memory depends on the largest object.
    func fill(_ made: URL, _ configuration: Realm.Configuration) throws(Realm.Error) {
        var outcomes = try copy(to: made)
        try compare(outcomes, with: made)
        for (index, found) in file.classes.enumerated() where found.kind == .asymmetric {
            outcomes.append(Outcome(index: index, leftOutCount: found.count))
        }
        if configuration.keepsChanges {
            let connection = try Connection(fileURL: made, key: key, isReadOnly: false, isDurable: true, hasLog: false)
            try FileConversion(connection: connection, clock: configuration.changeClock).keepChanges()
        }
        report = Realm.ImportReport(
            format: file.format,
            schemaVersion: file.schemaVersion ?? 0,
            classes: outcomes.sorted { $0.index < $1.index }.map(imported),
            differences: try differences(made, configuration)
        )
    }

    private func imported(_ outcome: Outcome) -> Realm.ImportReport.ImportedClass {
        Realm.ImportReport.ImportedClass(
            name: file.classes[outcome.index].name,
            objectCount: outcome.count,
            digest: outcome.digest.text,
            leftOutObjects: outcome.leftOutCount,
            unresolvedLinks: outcome.unresolvedCount,
            mergedElements: outcome.mergedCount
        )
    }

    // MARK: Copying

    private func copy(to made: URL) throws(Realm.Error) -> [Outcome] {
        let connection = try Connection(fileURL: made, key: key, isReadOnly: false, isDurable: true, hasLog: false)
        try connection.execute("BEGIN")
        let indexes = try schema.createTables(connection)
        let links = ImportedLinks(file)
        let cells = ImportedCells(connection, classNames: classNames)
        var outcomes: [Outcome] = []
        file.beginPass()
        try watch.begin(.copying)
        for index in schema.order {
            guard let stored = schema.classes[index] else { continue }
            let found = file.classes[index]
            var rows = try ImportedRows(found, at: index, stored, links, cells, connection, fileURL)
            links.unresolvedCount = 0
            for number in 0..<file.batchCount(of: index) {
                let batch = try batch(number, of: index)
                try rows.write(batch)
                try watch.didComplete(batch.count)
            }
            outcomes.append(
                Outcome(
                    index: index,
                    count: rows.count,
                    digest: rows.digest,
                    leftOutCount: rows.leftOutCount,
                    unresolvedCount: links.unresolvedCount,
                    mergedCount: rows.mergedCount
                )
            )
        }
        for index in indexes { try createIndex(index, connection) }
        try connection.execute("COMMIT")
        return outcomes
    }

    private func batch(_ number: Int, of index: Int) throws(Realm.Error) -> OriginalBatch {
        do throws(OriginalFileError) {
            return try file.batch(number, of: index)
        } catch {
            throw Realm.Error(error.inside(file.classes[index].name), fileURL)
        }
    }

    private func createIndex(_ sql: String, _ connection: Connection) throws(Realm.Error) {
        do throws(Realm.Error) {
            try connection.execute(sql)
        } catch  where error.isUniqueViolation {
            throw Realm.Error(
                .damaged(what: "two objects have the same primary key", className: ""),
                fileURL
            )
        }
    }

    // MARK: Comparing

    /// Reads the new file, and compares what it has with what the old one had.
    private func compare(_ outcomes: [Outcome], with made: URL) throws(Realm.Error) {
        let connection = try Connection(fileURL: made, key: key, isReadOnly: true, isDurable: true)
        let reread = RereadRows(connection, classNames: classNames)
        try watch.begin(.comparing)
        for outcome in outcomes {
            guard let stored = schema.classes[outcome.index] else { continue }
            let (count, digest) = try reread.sum(stored, watch)
            guard count == outcome.count, digest == outcome.digest else {
                throw Realm.Error(
                    .fail,
                    """
                    The class '\(stored.name)' came out of the import with \(count) objects and the sum \(digest.text), and not with \
                    \(outcome.count) and \(outcome.digest.text): nothing was kept. This is an error of this library.
                    """,
                    fileURL: fileURL
                )
            }
        }
    }

    /// How the new file differs from the classes that the configuration names.
    private func differences(
        _ made: URL,
        _ configuration: Realm.Configuration
    ) throws(Realm.Error) -> [SchemaChange] {
        guard let types = configuration.objectTypes, !types.isEmpty else { return [] }
        let stored = StoredSchema(try Connection(fileURL: made, key: key, isReadOnly: true, isDurable: true))
        return SchemaComparison(
            try stored.classes(),
            indexed: try stored.indexedProperties(),
            try RealmSchema(types)
        )
        .changes
    }
}
