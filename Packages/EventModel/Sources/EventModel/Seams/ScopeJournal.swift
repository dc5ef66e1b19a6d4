/// Keeps what scopes captured outside of memory, so that it survives the process and need not all be held.
///
/// Safe to call from any thread.
public protocol ScopeJournalStore: Sendable {
    /// Makes an empty journal that belongs to the caller until it is removed or dropped, or the process ends.
    func begin() throws -> any ScopeJournal

    /// Takes over the journals that belong to nobody any more, oldest first.
    ///
    /// Each journal is given to one caller, in this process or another, and belongs to it from then on: whoever drops
    /// it without removing it leaves it behind again. Journals of living processes are not touched. One that this code cannot
    /// read, because another version or another key wrote it, may be among them; it throws the reason from every call.
    ///
    /// - Throws: When it cannot be found out what was left behind; nothing is taken over then.
    func leftBehind() throws -> [any ScopeJournal]

    /// Reads how all other journals begin, whoever has them.
    ///
    /// A process that dies gives its journals back one after the other, and none of them is written to from the first one on:
    /// what was taken over may belong with a journal that is not free yet, and whose first block says so.
    ///
    /// - Parameter known: The journals that are left out.
    /// - Returns: The first block of each journal that has one which this code can read.
    /// - Throws: When it cannot be found out which journals there are.
    func firstBlocks(besides known: [any ScopeJournal]) throws -> [[UInt8]]

    /// Says whether a journal exists, whoever has it.
    func exists(_ journal: ObjectId) throws -> Bool

    /// Says how journals name a realm, given the absolute path of its file.
    func address(of realm: String) -> RealmAddress

    /// Says whether the file of a realm exists, given the ``RealmAddress/name`` of it.
    func hasRealm(named name: String) throws -> Bool
}

/// How journals name a realm that recorded into them.
public struct RealmAddress: Sendable, Hashable {
    /// Names the realm's file; stays the same when the file and the journals are moved together.
    public let name: String
    /// Names the realm's file and the place of the journals: realms that record into other places have other ones.
    public let place: String

    /// Creates an address.
    public init(name: String, place: String) {
        self.name = name
        self.place = place
    }
}

/// A row of blocks that survives the death of the process, though not always that of the machine.
///
/// Each block is wholly there or not at all. A block that was appended survives the end of the process from then on; a
/// power cut may cost the last ones, because appending does not wait for the disk. Safe to call from any thread; appends
/// come from one thread at a time.
public protocol ScopeJournal: AnyObject, Sendable {
    /// Names the journal; ids of later journals are greater.
    var id: ObjectId { get }

    /// Appends a block.
    ///
    /// - Throws: When the block is not there; earlier ones are, and the next append may be tried.
    /// - Precondition: The block is not empty and at most 1 GiB.
    func append(_ block: [UInt8]) throws -> ScopeJournalBlock

    /// Finds the blocks that are whole, in the order in which they were appended; those that were erased are left out.
    func blocks() throws -> [ScopeJournalBlock]

    /// Reads a block.
    ///
    /// - Throws: When the block was erased or damaged, or cannot be read.
    func read(_ block: ScopeJournalBlock) throws -> [UInt8]

    /// Makes a block unreadable for everybody, for good; the blocks around it stay.
    func erase(_ block: ScopeJournalBlock) throws

    /// Returns when all that was appended, and the name of the journal, are on the disk.
    func synchronize() throws

    /// Protects bytes that are kept elsewhere as the blocks of the journal are protected: encrypted, if they are.
    ///
    /// - Throws: What the system's cryptography throws.
    func seal(_ bytes: [UInt8]) throws -> [UInt8]

    /// Returns the bytes that this journal, now or before its process died, has protected.
    ///
    /// - Throws: When they are not what was protected.
    func open(_ sealed: [UInt8]) throws -> [UInt8]

    /// Makes the whole journal unreadable for everybody, for good; no other call is of use afterwards.
    func remove() throws
}

/// The place of a block in its journal.
public struct ScopeJournalBlock: Sendable, Hashable {
    /// Where the block begins; what it counts is the journal's own business.
    public let offset: UInt64
    /// How many bytes it has.
    public let byteCount: Int

    /// Creates a place.
    public init(offset: UInt64, byteCount: Int) {
        self.offset = offset
        self.byteCount = byteCount
    }
}
