import ChangeModel
import Deflate
import Synchronization

/// Pages of snapshots as they are answered, each of them read before it is asked for.
///
/// While a device takes a page in, the next one is read and made smaller, so that both work at once. Devices that begin in the same
/// minute share what was read, as long as nothing changes in their realm: a page is right for whoever asked when the
/// realm's newest entry was none that the page has not. A device takes the log from the head of its first page on, and would
/// miss what an older page does not have.
public final class SnapshotPages: Sendable {
    /// What a device asks for.
    struct Name: Hashable {
        let realm: RealmName
        let history: HistoryID
        let cursor: SnapshotCursor?
        let maximumBytes: Int
    }

    /// Some objects of a realm.
    public struct Page: SharedPage {
        /// How many objects there are.
        public let count: Int
        /// The bytes of a `SnapshotPage`; whoever holds the page shares them.
        public let bytes: [UInt8]
        /// The same as `Deflate` makes them; nil where they are not fewer.
        public let packed: [UInt8]?

        /// The realm's newest entry when it was read.
        let head: Int
        /// Where the next one begins; nil behind the last one.
        let next: SnapshotCursor?

        /// Whether there is nothing in it, as in a realm without objects.
        public var isEmpty: Bool { count == 0 }

        var byteCount: Int { bytes.count + (packed?.count ?? 0) }

        init(_ page: SnapshotPage) {
            count = page.objects.count
            bytes = page.encoded
            packed = Deflate.packed(bytes)
            head = page.head
            next = page.next
        }
    }

    /// Reads a page from the store.
    typealias Reading = @Sendable (Name) async throws -> SnapshotPage

    /// How many bytes are kept, but for one page that may have more: 16 MiB.
    static let maximumBytes = 16 << 20
    /// How many pages are read at once that nobody has asked for; where more begin, they wait for each page.
    static let maximumAhead = 2

    private let pages = SharedPages<Name, Page>(maximumBytes: SnapshotPages.maximumBytes)
    private let read: Reading
    private let ahead = Mutex(0)

    /// How many pages are being read that nobody has asked for.
    var aheadCount: Int { ahead.withLock(\.self) }

    /// Creates a place for pages.
    init(_ read: @escaping Reading) { self.read = read }

    /// Returns a page, and has the one behind it read.
    ///
    /// - Parameters:
    ///   - name: What is asked for.
    ///   - head: The realm's newest entry when it was asked for.
    /// - Returns: A page that has everything up to that entry.
    /// - Throws: What reading throws.
    func page(_ name: Name, from head: Int) async throws -> Page {
        let page = try await current(name, from: head)
        if let next = page.next {
            readAhead(
                Name(realm: name.realm, history: name.history, cursor: next, maximumBytes: name.maximumBytes),
                page.head
            )
        }
        return page
    }

    private func current(_ name: Name, from head: Int) async throws -> Page {
        try await pages.page(name, where: { $0.head >= head }, { Page(try await read(name)) })
    }

    private func readAhead(_ name: Name, _ head: Int) {
        let isOneMore = ahead.withLock { ahead in
            guard ahead < Self.maximumAhead else { return false }
            ahead += 1
            return true
        }
        guard isOneMore else { return }
        Task {
            defer { ahead.withLock { $0 -= 1 } }
            do {
                _ = try await current(name, from: head)
            } catch {
                // Nobody asked: whoever does reads it, and hears what is wrong.
            }
        }
    }

    /// Forgets the pages of a realm, in which something changed.
    func forget(_ realm: RealmName) { pages.forget { name, _ in name.realm == realm } }
}
