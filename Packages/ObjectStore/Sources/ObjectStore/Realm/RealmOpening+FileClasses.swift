import EventModel
import Foundation

// Files that are opened with the classes that they have, whatever program wrote them.
extension RealmOpening {
    /// Finds the executor's instance or makes one, of the classes that the file describes.
    func madeAsFound(_ file: FileCoordinator) throws -> Confined {
        guard configuration.objectTypes == nil, configuration.fileURL != nil else {
            throw Realm.Error(
                .invalidInput,
                "A realm that is opened with the classes of its file has a file, and no 'objectTypes'.",
                fileURL: configuration.fileURL
            )
        }
        if let existing = file.instance(of: executor) {
            try requireSameAccess(existing)
            guard existing.configuration.usesClassesOfFile else {
                throw Realm.Error(
                    .alreadyOpen,
                    """
                    The realm '\(file.path)' is already open on this thread, queue or actor with classes of the program; close that instance \
                    before it is opened with those of the file.
                    """,
                    fileURL: configuration.fileURL
                )
            }
            return Confined(existing)
        }
        if let other = file.anyInstance { try requireSameAccess(other) }
        let found = try FileClasses.read(file, configuration)
        return Confined(
            try RealmCore(file: file, configuration: found.configuration, schema: found.schema, confinement: executor)
        )
    }
}

/// What a file says of its classes, as an instance needs it.
private struct FileClasses {
    let configuration: Realm.Configuration
    let schema: RealmSchema

    static func read(_ file: FileCoordinator, _ configuration: Realm.Configuration) throws -> FileClasses {
        try file.opening(isReadOnly: true) { _ in
            try file.holdKey(of: configuration)
            // To open and close the file while SQLite has it open would give up SQLite's locks.
            if !file.hasInstances { try RealmFile.prepare(file.path, file.key.key, isReadOnly: true) }
            let url = URL(fileURLWithPath: file.path)
            let stored = StoredSchema(
                try Connection(fileURL: url, key: file.key.key, isReadOnly: true, isDurable: true)
            )
            guard try !stored.isNew() else {
                throw Realm.Error(.invalidDatabase, "The realm file has no tables.", fileURL: url)
            }
            guard try configuration.readOnly || !SyncTables(stored.connection).exist() else {
                throw Realm.Error(
                    .invalidInput,
                    """
                    The realm '\(file.path)' keeps its changes for a server, which only the program with its classes may add to; open it \
                    read-only.
                    """,
                    fileURL: url
                )
            }
            var configuration = configuration
            configuration.schemaVersion = try stored.schemaVersion()
            let classes = try stored.classes().values.sorted { $0.name < $1.name }
            let made = try ClassSchema.dynamic(classes, indexed: try stored.indexedProperties())
            return FileClasses(configuration: configuration, schema: RealmSchema(checked: made))
        }
    }
}
