import ChangeModel
import Synchronization

/// Stretches of logs as they are answered, so that the readers of one realm share one copy of what they are all sent.
///
/// Without it each of a thousand readers that wake for one large entry would ask the store, and have a copy of it. Entries never change, so
/// that a stretch stays right. One that ended at the newest entry is forgotten with the next one, or whoever is behind
/// would be led through the log in the small steps of those who were not.
public final class EncodedPages: Sendable {
    /// What a reader asks for.
    struct Name: Hashable {
        let realm: RealmName
        let history: HistoryID
        let after: Int
        let maximumBytes: Int
    }

    /// A stretch of a log.
    public struct Page: Sendable, HubPage {
        /// How many entries there are.
        public let count: Int
        /// The bytes of an `EntriesAnswer`; whoever holds the page shares them.
        public let bytes: [UInt8]

        /// Whether it ends at the newest entry that there was.
        let isOpen: Bool

        /// Whether there is nothing to answer with yet.
        public var isEmpty: Bool { count == 0 }
    }

    /// What a reader does that asks for a page.
    private enum Turn {
        /// The page is there, or somebody who asked before has read it.
        case isKnown(Page)
        /// It reads the page, for all that ask meanwhile.
        case reads
        /// It reads the page for itself: whoever read it found nothing, which may have come since, or failed.
        case readsAlone
    }

    fileprivate struct State {
        /// Who waits for a page that somebody reads.
        var readings: [Name: [CheckedContinuation<Page?, Never>]] = [:]
        var pages: [Name: Page] = [:]
        /// The names from the oldest page on.
        var order: [Name] = []
        var bytes = 0
    }

    /// How many bytes are kept, but for one page that may have more: 16 MiB.
    static let maximumBytes = 16 << 20

    private let state = Mutex(State())
    /// Tells a test that a reader waits for another one.
    private let waits: @Sendable () -> Void

    /// Creates a place for pages.
    init(waits: @escaping @Sendable () -> Void = {}) { self.waits = waits }

    /// Returns a page that was encoded before.
    func page(_ name: Name) -> Page? { state.withLock { $0.pages[name] } }

    /// Returns a page, which readers that ask for it at once read once.
    ///
    /// - Parameters:
    ///   - name: What is asked for.
    ///   - read: Reads it from the store.
    /// - Returns: The page; an empty one was read behind the call, so that nobody misses what came before that.
    /// - Throws: What `read` throws.
    func page(_ name: Name, _ read: () async throws -> EntryPage) async throws -> Page {
        switch await turn(name) {
        case .isKnown(let page): return page
        case .readsAlone: return encode(try await read(), as: name)
        case .reads:
            var page: Page?
            defer { end(name, page) }
            let encoded = encode(try await read(), as: name)
            if !encoded.isEmpty { page = encoded }
            return encoded
        }
    }

    private func turn(_ name: Name) async -> Turn {
        let (known, reads) = state.withLock { $0.enter(name) }
        if let known { return .isKnown(known) }
        if reads { return .reads }
        let page = await withCheckedContinuation { continuation in
            // Who reads may have ended since.
            let isOver = state.withLock { !$0.wait(name, continuation) }
            if isOver { continuation.resume(returning: self.page(name)) } else { waits() }
        }
        return page.map(Turn.isKnown) ?? .readsAlone
    }

    /// Hands what was read to those who wait for it.
    private func end(_ name: Name, _ page: Page?) {
        let waiting = state.withLock { $0.readings.removeValue(forKey: name) } ?? []
        for continuation in waiting { continuation.resume(returning: page) }
    }

    /// Forgets the stretches of a realm that do not end at its newest entry any more, of which there is a new one.
    func forgetOpen(of realm: RealmName) { state.withLock { $0.forgetOpen(of: realm) } }

    /// Encodes a page, and keeps it if there is something in it.
    func encode(_ page: EntryPage, as name: Name) -> Page {
        let answer = EntriesAnswer(head: page.head, encoded: page.entries.map(\.bytes))
        let isOpen = page.entries.last.map { $0.number == page.head } ?? true
        let encoded = Page(count: page.entries.count, bytes: answer.encodedAnswer, isOpen: isOpen)
        if !encoded.isEmpty { state.withLock { $0.keep(encoded, as: name) } }
        return encoded
    }
}

extension EncodedPages.State {
    /// Begins to read a page, unless it is there or somebody reads it.
    fileprivate mutating func enter(_ name: EncodedPages.Name) -> (known: EncodedPages.Page?, reads: Bool) {
        if let known = pages[name] { return (known, false) }
        guard readings[name] == nil else { return (nil, false) }
        readings[name] = []
        return (nil, true)
    }

    /// Lets a reader wait for who reads a page.
    ///
    /// - Returns: False if nobody reads it any more.
    fileprivate mutating func wait(
        _ name: EncodedPages.Name,
        _ continuation: CheckedContinuation<EncodedPages.Page?, Never>
    ) -> Bool {
        guard readings[name] != nil else { return false }
        readings[name]?.append(continuation)
        return true
    }

    fileprivate mutating func keep(_ page: EncodedPages.Page, as name: EncodedPages.Name) {
        guard pages[name] == nil else { return }
        while let oldest = order.first, bytes + page.bytes.count > EncodedPages.maximumBytes {
            bytes -= pages.removeValue(forKey: oldest)?.bytes.count ?? 0
            order.removeFirst()
        }
        pages[name] = page
        order.append(name)
        bytes += page.bytes.count
    }

    fileprivate mutating func forgetOpen(of realm: RealmName) {
        let open = Set(order.filter { $0.realm == realm && pages[$0]?.isOpen == true })
        guard !open.isEmpty else { return }
        for name in open { bytes -= pages.removeValue(forKey: name)?.bytes.count ?? 0 }
        order.removeAll { open.contains($0) }
    }
}
