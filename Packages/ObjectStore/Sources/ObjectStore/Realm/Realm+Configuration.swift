public import EventModel
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Realm {
    /// Says which file to open and how.
    public struct Configuration: Sendable {
        private static let shared = Mutex(Configuration())

        /// The configuration of `Realm()`.
        ///
        /// A change has effect on later openings.
        public static var defaultConfiguration: Configuration {
            get { shared.withLock { $0 } }
            set { shared.withLock { $0 = newValue } }
        }

        /// The file; setting it clears ``inMemoryIdentifier``.
        public var fileURL: URL? {
            didSet { if fileURL != nil { inMemoryIdentifier = nil } }
        }
        /// Names a realm that vanishes with its last instance in this process; setting it clears ``fileURL``.
        public var inMemoryIdentifier: String? {
            didSet { if inMemoryIdentifier != nil { fileURL = nil } }
        }
        /// The key of an encrypted file, 64 bytes; nil, the default, for a file that is not encrypted.
        ///
        /// A new file is made with it, and all that SQLite keeps for the file is encrypted. A file that exists must have been made with the
        /// same one; ``Realm/rekey(_:to:)`` changes it. Opening throws ``Realm/Error`` with `.invalidInput` for a key of another length, and
        /// with `.invalidDatabase` for another key than the file's. See <doc:EncryptedRealms>.
        public var encryptionKey: Data?
        /// Whether every write is refused; the file must exist then.
        public var readOnly: Bool
        /// The version of the program's schema, 0 by default; a file with a higher one cannot be opened.
        ///
        /// Raise it whenever a change of the classes needs a migration; see ``SchemaChange/needsMigration``.
        public var schemaVersion: UInt64
        /// Converts the objects of a file with a lower schema version, beyond what happens by itself.
        public var migrationBlock: MigrationBlock?
        /// Whether a file with another schema is deleted instead of being migrated or refused.
        ///
        /// ``migrationBlock`` is not called then.
        public var deleteRealmIfMigrationNeeded: Bool
        /// Decides at the first opening in a process whether the file is made as small as possible.
        ///
        /// It is given the size of the file and how much of that is used, in bytes. The file is left as it is while
        /// others use it.
        public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
        /// Whether opening reads the whole file first and throws if it is damaged; false by default.
        ///
        /// Without it, damage is found when the part of the file that has it is read. Either way, what the file says about
        /// itself is compared; a value that was changed in place, and is in no index, looks like any other.
        public var verifiesFile = false
        /// The classes that the realm manages; nil means every model class of the process.
        ///
        /// The list must be closed: every class that a link names must be in it.
        public var objectTypes: [ObjectBase.Type]?
        /// Whether the realm manages the classes that the file has, whichever program wrote it; false by default.
        ///
        /// The file must exist, and neither ``objectTypes`` nor ``schemaVersion`` plays a part. Objects are found by the names of their
        /// classes, with ``Realm/dynamicObjects(_:)``. A file that keeps its changes is opened so with ``readOnly`` only.
        public var usesClassesOfFile = false
        /// How many versions of the contents may be alive at once before writing is refused; nil means any count.
        public var maximumNumberOfActiveVersions: UInt?
        /// How many bytes of memory the columns of the file may take that queries look through; 64 MiB by default, 0 for none.
        ///
        /// A condition without an index, a sum or an order looks at a property of every object. The first such query keeps the
        /// values in memory for the next ones, as long as they fit. ``Realm/removeCachedColumns()`` gives the memory back.
        public var maximumColumnCacheSize = ColumnCache.defaultLimit
        /// A file that is copied to ``fileURL`` when there is none yet; see ``Realm/writeCopy(toFile:encryptionKey:)``.
        public var seedFilePath: URL?
        /// Whether the file keeps what each transaction changed until a server has it; false by default.
        ///
        /// It is decided when the file is made and holds for the life of the file: whoever writes to it keeps changes from then on.
        /// ``Realm/writeCopy(configuration:)`` makes one of a file that is none. Each
        /// class that is neither embedded nor asymmetric must have a primary key, by which devices know an object. Its schema grows by new
        /// classes and properties at any ``schemaVersion``; ``migrationBlock`` is not called.
        public var keepsChanges = false
        /// Whether opening a file that Realm wrote, the original of this library, makes a realm of it first; false by default.
        ///
        /// The objects are imported as ``Realm/importOriginal(from:into:progress:)`` does it, and then brought to ``objectTypes`` and
        /// ``schemaVersion`` as those of any realm. The old file stays beside the new one under its name with `.original` behind it: delete it
        /// when you need it no more. Without it such a file is not opened, with ``Realm/Error`` of `.fileFormatUpgradeRequired`. The first
        /// opening takes as long as the import, so do it off the main thread; nothing happens at later ones.
        public var importsOriginal = false
        /// Says when the changes were made that the file keeps; the machine's clock by default.
        ///
        /// Where devices write to one place, the later write wins; a wall clock that is wrong is corrected before they are sent.
        public var changeClock: any EventClock = SystemClock()
        /// What another room of the house hangs on to this file, such as the recorder of events.
        public var attachment: (any RealmAttachment)?

        /// Creates a configuration; with neither file nor identifier it names the default file.
        public init(
            fileURL: URL? = nil,
            inMemoryIdentifier: String? = nil,
            encryptionKey: Data? = nil,
            readOnly: Bool = false,
            schemaVersion: UInt64 = 0,
            migrationBlock: MigrationBlock? = nil,
            deleteRealmIfMigrationNeeded: Bool = false,
            shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)? = nil,
            objectTypes: [ObjectBase.Type]? = nil,
            seedFilePath: URL? = nil
        ) {
            self.fileURL = inMemoryIdentifier == nil ? fileURL ?? RealmFile.defaultURL : nil
            self.inMemoryIdentifier = inMemoryIdentifier
            self.encryptionKey = encryptionKey
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.migrationBlock = migrationBlock
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.shouldCompactOnLaunch = shouldCompactOnLaunch
            self.objectTypes = objectTypes
            self.seedFilePath = seedFilePath
        }
    }
}

extension Realm.Configuration: Equatable {
    /// Whether both open the same file in the same way.
    ///
    /// Blocks and attachments cannot be compared: two are taken for equal, one and none are not. Clocks are taken for equal.
    public static func == (left: Realm.Configuration, right: Realm.Configuration) -> Bool {
        left.fileURL == right.fileURL && left.inMemoryIdentifier == right.inMemoryIdentifier
            && left.encryptionKey == right.encryptionKey && left.readOnly == right.readOnly
            && left.schemaVersion == right.schemaVersion
            && (left.migrationBlock == nil) == (right.migrationBlock == nil)
            && left.deleteRealmIfMigrationNeeded == right.deleteRealmIfMigrationNeeded
            && (left.shouldCompactOnLaunch == nil) == (right.shouldCompactOnLaunch == nil)
            && left.objectTypes.map { Set($0.map { ObjectIdentifier($0) }) }
                == right.objectTypes.map { Set($0.map { ObjectIdentifier($0) }) }
            && left.maximumNumberOfActiveVersions == right.maximumNumberOfActiveVersions
            && left.maximumColumnCacheSize == right.maximumColumnCacheSize
            && left.keepsChanges == right.keepsChanges && left.usesClassesOfFile == right.usesClassesOfFile
            && left.importsOriginal == right.importsOriginal
            && left.seedFilePath == right.seedFilePath && (left.attachment == nil) == (right.attachment == nil)
    }
}

extension Realm.Configuration: CustomStringConvertible {
    /// The settings in words; of the encryption key only whether there is one.
    public var description: String {
        var parts: [String] = []
        if let fileURL { parts.append("fileURL: \(fileURL.path)") }
        if let inMemoryIdentifier { parts.append("inMemoryIdentifier: \(inMemoryIdentifier)") }
        if encryptionKey != nil { parts.append("encryptionKey: set") }
        parts.append("readOnly: \(readOnly)")
        parts.append("schemaVersion: \(schemaVersion)")
        if migrationBlock != nil { parts.append("migrationBlock: set") }
        if deleteRealmIfMigrationNeeded { parts.append("deleteRealmIfMigrationNeeded: true") }
        if shouldCompactOnLaunch != nil { parts.append("shouldCompactOnLaunch: set") }
        if let objectTypes {
            parts.append("objectTypes: [\(objectTypes.map { $0.className() }.joined(separator: ", "))]")
        }
        if let maximumNumberOfActiveVersions {
            parts.append("maximumNumberOfActiveVersions: \(maximumNumberOfActiveVersions)")
        }
        if maximumColumnCacheSize != ColumnCache.defaultLimit {
            parts.append("maximumColumnCacheSize: \(maximumColumnCacheSize)")
        }
        if usesClassesOfFile { parts.append("usesClassesOfFile: true") }
        if importsOriginal { parts.append("importsOriginal: true") }
        if keepsChanges { parts.append("keepsChanges: true") }
        if let seedFilePath { parts.append("seedFilePath: \(seedFilePath.path)") }
        return "Realm.Configuration { \(parts.joined(separator: ", ")) }"
    }
}
