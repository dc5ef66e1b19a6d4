import ChangeModel
import Synchronization

/// Stretches of logs as they are answered, so that the readers of one realm share one copy of what they are all sent.
///
/// Without it each of a thousand readers that wake for one large entry would have a copy of it. Entries never change, so
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

    fileprivate struct State {
        var pages: [Name: Page] = [:]
        /// The names from the oldest page on.
        var order: [Name] = []
        var bytes = 0
    }

    /// How many bytes are kept, but for one page that may have more: 16 MiB.
    static let maximumBytes = 16 << 20

    private let state = Mutex(State())

    init() {}

    /// Returns a page that was encoded before.
    func page(_ name: Name) -> Page? { state.withLock { $0.pages[name] } }

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
