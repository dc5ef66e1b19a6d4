import EventModel

/// A journal that another version or another key wrote: every call says so, and nothing changes the file.
final class UnreadableJournal: ScopeJournal {
    let id: ObjectId
    private let reason: PartitionError
    /// The file with its lock, which goes with this object.
    private let file: any OpenFile

    init(_ id: ObjectId, _ file: any OpenFile, because reason: PartitionError) {
        self.id = id
        self.file = file
        self.reason = reason
    }

    func append(_ block: [UInt8]) throws -> ScopeJournalBlock { throw reason }

    func blocks() throws -> [ScopeJournalBlock] { throw reason }

    func read(_ block: ScopeJournalBlock) throws -> [UInt8] { throw reason }

    func erase(_ block: ScopeJournalBlock) throws { throw reason }

    func synchronize() throws { throw reason }

    func seal(_ bytes: [UInt8]) throws -> [UInt8] { throw reason }

    func open(_ sealed: [UInt8]) throws -> [UInt8] { throw reason }

    func remove() throws { throw reason }
}
