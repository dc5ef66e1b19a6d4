import EventModel

/// The names of the files that belong to a partition.
enum PartitionNames {
    /// The file whose lock guards making, claiming, renaming and removing partitions of a folder.
    static let lock = ".lock"
    static let events = ".events"
    static let quarantined = ".quarantined"
    static let acknowledged = ".acknowledged"
    static let quarantineRecord = ".quarantined.json"

    /// The id in the name of a file with this ending; nil for other names.
    static func id(in name: String, ending: String) -> ObjectId? {
        guard name.hasSuffix(ending) else { return nil }
        // Any other name belongs to somebody else and is left alone.
        return try? ObjectId(string: String(name.dropLast(ending.count)))
    }
}
