public import EventModel
import Synchronization

/// Journals in memory: a test plays the death of a process with ``endProcess(holding:)``, and may make calls fail.
///
/// Honest otherwise: it passes ``ScopeJournalConformance``.
public final class InMemoryScopeJournals: ScopeJournalStore {
    /// Thrown for a block that was erased, removed or damaged.
    public struct BlockIsGone: Error {
        /// Creates the error.
        public init() {}
    }

    /// The calls that a test can make fail.
    public enum Operation: Sendable, Hashable {
        case begin
        case append
        case read
        case erase
        case remove
        case synchronize
    }

    fileprivate final class Content: Sendable {
        let id: ObjectId
        let blocks = Mutex<[[UInt8]?]>([])
        let isRemoved = Mutex(false)
        /// Whoever has the journal; nil when it was left behind.
        let owner = Mutex<Weak>(Weak(journal: nil))
        /// Whether a process has it that is dying.
        let isHeld = Mutex(false)

        init(id: ObjectId) {
            self.id = id
        }
    }

    fileprivate struct Weak {
        weak let journal: InMemoryScopeJournal?
    }

    private struct State {
        var contents: [Content] = []
        var lastID: UInt32 = 0
        var process = 1
        var failures: [Operation: [(any Error)?]] = [:]
        var counts: [Operation: Int] = [:]
        var missingRealms: Set<String> = []
        var beforeLook: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Creates a store without journals.
    public init() {}

    /// How many journals exist.
    public var count: Int { live.count }

    /// All bytes that anybody could still read, journal by journal.
    public var readableBytes: [[UInt8]] {
        live.map { content in content.blocks.withLock { $0.compactMap(\.self).flatMap(\.self) } }
    }

    /// How often a call was made, failed ones included.
    public func callCount(_ operation: Operation) -> Int { state.withLock { $0.counts[operation, default: 0] } }

    /// Makes the next calls throw, one error each; one for which there is nil does its work.
    public func fail(next operation: Operation, with errors: [(any Error)?]) {
        state.withLock { $0.failures[operation, default: []].append(contentsOf: errors) }
    }

    /// Plays the death of the process: whatever is open belongs to nobody, and calls on it fail from now on.
    ///
    /// - Parameter held: The journals that the dying process has not given back yet, counted from the oldest one; until
    ///   ``giveBack()``.
    public func endProcess(holding held: Set<Int> = []) {
        state.withLock { $0.process += 1 }
        for (index, content) in live.enumerated() {
            content.owner.withLock { $0 = Weak(journal: nil) }
            content.isHeld.withLock { $0 = held.contains(index) }
        }
    }

    /// Plays the end of a death: nothing is held any more.
    public func giveBack() {
        for content in live { content.isHeld.withLock { $0 = false } }
    }

    /// Replaces a block of a journal by other bytes, nil for a block that is damaged.
    public func replaceBlock(_ index: Int, ofJournal journal: Int, by bytes: [UInt8]?) {
        live[journal].blocks.withLock { $0[index] = bytes }
    }

    /// The blocks of a journal; nil for one that is erased or damaged.
    public func blocks(ofJournal journal: Int) -> [[UInt8]?] { live[journal].blocks.withLock(\.self) }

    /// Makes an empty journal.
    public func begin() throws -> any ScopeJournal {
        try check(.begin)
        let (content, process) = state.withLock { state in
            state.lastID += 1
            let content = Content(id: ObjectId(high: 0, low: state.lastID))
            state.contents.append(content)
            return (content, state.process)
        }
        return InMemoryScopeJournal(content, store: self, process: process)
    }

    /// Plays what another process does just before the next look for what was left behind.
    public func beforeNextLook(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeLook = work }
    }

    /// Takes over what belongs to nobody.
    public func leftBehind() throws -> [any ScopeJournal] {
        let work = state.withLock { state in
            defer { state.beforeLook = nil }
            return state.beforeLook
        }
        work?()
        let process = state.withLock { $0.process }
        return
            live.filter { content in
                content.owner.withLock { $0.journal == nil } && !content.isHeld.withLock(\.self)
            }
            .map { InMemoryScopeJournal($0, store: self, process: process) }
    }

    /// Reads the first block of all journals but these.
    public func firstBlocks(besides known: [any ScopeJournal]) throws -> [[UInt8]] {
        let known = Set(known.map(\.id))
        return live.filter { !known.contains($0.id) }
            .compactMap { content in content.blocks.withLock { $0.compactMap(\.self).first } }
    }

    /// Says whether a journal exists.
    public func exists(_ journal: ObjectId) throws -> Bool { live.contains { $0.id == journal } }

    /// Names a realm by its path.
    public func address(of realm: String) -> RealmAddress { RealmAddress(name: realm, place: "memory \(realm)") }

    /// Says that every realm exists that the test did not delete.
    public func hasRealm(named name: String) throws -> Bool { state.withLock { !$0.missingRealms.contains(name) } }

    /// Plays the deletion of a realm's file.
    public func deleteRealm(named name: String) {
        state.withLock { _ = $0.missingRealms.insert(name) }
    }

    private var live: [Content] {
        state.withLock { state in
            state.contents.removeAll { content in content.isRemoved.withLock(\.self) }
            return state.contents
        }
    }

    fileprivate func check(_ operation: Operation, process: Int? = nil) throws {
        let failure: (any Error)? = state.withLock { state in
            state.counts[operation, default: 0] += 1
            if let process, process != state.process { return BlockIsGone() }
            guard let failures = state.failures[operation], let first = failures.first else { return nil }
            state.failures[operation] = Array(failures.dropFirst())
            return first
        }
        if let failure { throw failure }
    }
}

private final class InMemoryScopeJournal: ScopeJournal {
    private let content: InMemoryScopeJournals.Content
    private let store: InMemoryScopeJournals
    private let process: Int

    init(_ content: InMemoryScopeJournals.Content, store: InMemoryScopeJournals, process: Int) {
        self.content = content
        self.store = store
        self.process = process
        content.owner.withLock { $0 = InMemoryScopeJournals.Weak(journal: self) }
    }

    var id: ObjectId { content.id }

    func append(_ block: [UInt8]) throws -> ScopeJournalBlock {
        try store.check(.append, process: process)
        return content.blocks.withLock { blocks in
            blocks.append(block)
            return ScopeJournalBlock(offset: UInt64(blocks.count - 1), byteCount: block.count)
        }
    }

    func blocks() throws -> [ScopeJournalBlock] {
        try store.check(.read, process: process)
        return content.blocks.withLock { blocks in
            blocks.enumerated()
                .compactMap { index, block in
                    block.map { ScopeJournalBlock(offset: UInt64(index), byteCount: $0.count) }
                }
        }
    }

    func read(_ block: ScopeJournalBlock) throws -> [UInt8] {
        try store.check(.read, process: process)
        let bytes = content.blocks.withLock { blocks in
            block.offset < UInt64(blocks.count) ? blocks[Int(block.offset)] : nil
        }
        guard let bytes else { throw InMemoryScopeJournals.BlockIsGone() }
        return bytes
    }

    func erase(_ block: ScopeJournalBlock) throws {
        try store.check(.erase, process: process)
        content.blocks.withLock { $0[Int(block.offset)] = nil }
    }

    func synchronize() throws {
        try store.check(.synchronize, process: process)
    }

    func seal(_ bytes: [UInt8]) throws -> [UInt8] { content.id.withUnsafeBytes { Array($0) } + bytes }

    func open(_ sealed: [UInt8]) throws -> [UInt8] {
        let own = content.id.withUnsafeBytes { Array($0) }
        guard sealed.starts(with: own) else { throw InMemoryScopeJournals.BlockIsGone() }
        return Array(sealed.dropFirst(own.count))
    }

    func remove() throws {
        try store.check(.remove, process: process)
        content.isRemoved.withLock { $0 = true }
        content.blocks.withLock { $0 = [] }
    }
}
