import EventModel

/// The names of the files of an event folder.
enum PartitionNames {
    /// The file whose lock guards making, claiming, renaming and removing files of a folder.
    static let lock = ".lock"
    /// The file whose lock makes one instance the owner of all sealed files of a folder.
    static let claims = ".claims"
    static let events = ".events"
    static let journal = ".journal"
    /// Room for entries of the loss ledger.
    static let ledger = ".ledger"
    static let quarantined = ".quarantined"
    static let acknowledged = ".acknowledged"
    /// What is kept of a partition that was deleted before every journal knew of its events.
    static let deleted = ".deleted"
    static let quarantineRecord = ".quarantined.json"
    /// Asks the app to offer a partition again that is kept aside.
    static let release = ".release"

    /// The id in the name of a file with this ending; nil for other names.
    static func id(in name: String, ending: String) -> ObjectId? {
        guard name.hasSuffix(ending) else { return nil }
        // Any other name belongs to somebody else and is left alone.
        return try? ObjectId(string: String(name.dropLast(ending.count)))
    }
}
