import EventModel

/// The names in a folder, and which of them belong to event files.
struct FolderNames {
    private static let fixed: Set<String> = [PartitionNames.lock, PartitionNames.claims]
    private static let sideFiles = [
        PartitionNames.acknowledged, PartitionNames.quarantineRecord, PartitionNames.release,
    ]
    private static let mainFiles = [
        PartitionNames.events, PartitionNames.quarantined, PartitionNames.journal,
        PartitionNames.deleted, PartitionNames.ledger,
    ]

    private let names: Set<String>

    init(_ names: [String]) {
        self.names = Set(names)
    }

    /// Whether it is a folder of event files.
    var isEventFolder: Bool {
        names.contains(PartitionNames.lock)
            || names.contains { name in Self.mainFiles.contains { PartitionNames.id(in: name, ending: $0) != nil } }
    }

    /// Says why something in the folder is not ours; nil when it is.
    func objection(to name: String, _ kind: FileStatus.Kind) -> String? {
        switch kind {
        case .symbolicLink: return "a symbolic link, which is not followed"
        case .directory: return "a folder"
        case .other: return "neither a file nor a folder"
        case .file: break
        }
        if Self.fixed.contains(name) { return nil }
        if Self.mainFiles.contains(where: { PartitionNames.id(in: name, ending: $0) != nil }) { return nil }
        for ending in Self.sideFiles {
            guard let id = PartitionNames.id(in: name, ending: ending) else { continue }
            let owners = [PartitionNames.events, PartitionNames.quarantined].map { "\(id.stringValue)\($0)" }
            return names.isDisjoint(with: owners) ? "a note about a partition that is gone" : nil
        }
        if name.hasSuffix(".realm") || name.contains(".realm.") {
            return "a file of Realm's own event recording, which only the program that wrote it can upload"
        }
        return "a file that this library did not make"
    }
}
