import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@testable import SyncServer

@Suite("Stretches of logs that readers share")
struct EncodedPagesTests {
    private func name(_ after: Int, _ realm: RealmName = .sample()) -> EncodedPages.Name {
        EncodedPages.Name(realm: realm, history: .sample(), after: after, maximumBytes: 100)
    }

    private func page(_ numbers: ClosedRange<Int>, head: Int, bytes: Int = 1) -> EntryPage {
        EntryPage(
            entries: numbers.map { StoredEntry(number: $0, bytes: [UInt8](repeating: 7, count: bytes)) },
            head: head
        )
    }

    @Test("what one reader was sent the next one is sent, too, and it reads as the entries")
    func shared() throws {
        let pages = EncodedPages()
        let sent = pages.encode(page(1...2, head: 2), as: name(0))

        let known = try #require(pages.page(name(0)))

        #expect(known.bytes == sent.bytes)
        #expect(try EntriesAnswer(bytes: known.bytes) == EntriesAnswer(head: 2, encoded: [[7], [7]]))
        #expect(pages.page(name(1)) == nil)
        #expect(pages.page(name(0, .sample("s_b"))) == nil)
    }

    @Test("a page without entries is not kept")
    func empty() {
        let pages = EncodedPages()

        #expect(pages.encode(EntryPage(entries: [], head: 3), as: name(3)).isEmpty)
        #expect(pages.page(name(3)) == nil)
    }

    @Test("with a new entry what ended at the newest one of its realm is forgotten, and nothing else")
    func open() {
        let pages = EncodedPages()
        _ = pages.encode(page(1...2, head: 2), as: name(0))
        _ = pages.encode(page(1...1, head: 2), as: name(7))
        _ = pages.encode(page(1...2, head: 2), as: name(0, .sample("s_b")))

        pages.forgetOpen(of: .sample())

        #expect(pages.page(name(0)) == nil)
        #expect(pages.page(name(7)) != nil)
        #expect(pages.page(name(0, .sample("s_b"))) != nil)
    }

    @Test("the oldest pages make room for new ones; one that is larger than all is kept alone")
    func bounded() {
        let pages = EncodedPages()
        let third = EncodedPages.maximumBytes / 3
        for after in 0..<4 { _ = pages.encode(page(1...1, head: 9, bytes: third), as: name(after)) }
        #expect((0..<4).map { pages.page(name($0)) != nil } == [false, false, true, true])

        _ = pages.encode(page(1...1, head: 9, bytes: EncodedPages.maximumBytes + 1), as: name(9))

        #expect((0..<4).allSatisfy { pages.page(name($0)) == nil })
        #expect(pages.page(name(9)) != nil)
    }
}
