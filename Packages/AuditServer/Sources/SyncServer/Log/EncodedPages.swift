import ChangeModel
import Deflate

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
    public struct Page: SharedPage {
        /// How many entries there are.
        public let count: Int
        /// The bytes of an `EntriesAnswer`; whoever holds the page shares them.
        public let bytes: [UInt8]
        /// The same as `Deflate` makes them, once for all readers; nil where they are not fewer.
        public let packed: [UInt8]?

        /// Whether it ends at the newest entry that there was.
        let isOpen: Bool

        /// Whether there is nothing to answer with yet.
        public var isEmpty: Bool { count == 0 }

        var byteCount: Int { bytes.count + (packed?.count ?? 0) }
    }

    /// How many bytes are kept, but for one page that may have more: 16 MiB.
    static let maximumBytes = 16 << 20

    private let pages: SharedPages<Name, Page>

    /// Creates a place for pages; a test is told when a reader waits for another one.
    init(waits: @escaping @Sendable () -> Void = {}) {
        pages = SharedPages(maximumBytes: Self.maximumBytes, waits: waits)
    }

    /// Returns a page that was encoded before.
    func page(_ name: Name) -> Page? { pages.page(name) }

    /// Returns a page, which readers that ask for it at once read once.
    ///
    /// - Parameters:
    ///   - name: What is asked for.
    ///   - read: Reads it from the store.
    /// - Returns: The page; an empty one was read behind the call, so that nobody misses what came before that.
    /// - Throws: What `read` throws.
    func page(_ name: Name, _ read: () async throws -> EntryPage) async throws -> Page {
        try await pages.page(name) { Self.encoded(try await read()) }
    }

    /// Forgets the stretches of a realm that do not end at its newest entry any more, of which there is a new one.
    func forgetOpen(of realm: RealmName) { pages.forget { name, page in page.isOpen && name.realm == realm } }

    /// Encodes a page, and keeps it if there is something in it.
    func encode(_ page: EntryPage, as name: Name) -> Page { pages.keep(Self.encoded(page), as: name) }

    private static func encoded(_ page: EntryPage) -> Page {
        let bytes = EntriesAnswer(head: page.head, encoded: page.entries.map(\.bytes)).encodedAnswer
        let isOpen = page.entries.last.map { $0.number == page.head } ?? true
        return Page(count: page.entries.count, bytes: bytes, packed: Deflate.packed(bytes), isOpen: isOpen)
    }
}
