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
        /// A key for encryption, which is not supported: opening throws rather than storing plain text.
        public var encryptionKey: Data?
        /// Whether every write is refused; the file must exist then.
        public var readOnly: Bool
        /// The version of the program's schema, 0 by default; a file with a higher one cannot be opened.
        public var schemaVersion: UInt64
        /// Whether a file with another schema is deleted instead of throwing.
        public var deleteRealmIfMigrationNeeded: Bool
        /// The classes that the realm manages; nil means every model class of the process.
        ///
        /// The list must be closed: every class that a link names must be in it.
        public var objectTypes: [ObjectBase.Type]?
        /// What another room of the house hangs on to this file, such as the recorder of events.
        public var attachment: (any RealmAttachment)?

        /// Creates a configuration; with neither file nor identifier it names the default file.
        public init(
            fileURL: URL? = nil,
            inMemoryIdentifier: String? = nil,
            encryptionKey: Data? = nil,
            readOnly: Bool = false,
            schemaVersion: UInt64 = 0,
            deleteRealmIfMigrationNeeded: Bool = false,
            objectTypes: [ObjectBase.Type]? = nil
        ) {
            self.fileURL = inMemoryIdentifier == nil ? fileURL ?? RealmFile.defaultURL : nil
            self.inMemoryIdentifier = inMemoryIdentifier
            self.encryptionKey = encryptionKey
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.objectTypes = objectTypes
        }
    }
}
