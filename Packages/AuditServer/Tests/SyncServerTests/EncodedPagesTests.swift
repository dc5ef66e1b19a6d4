import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import Synchronization
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

    // MARK: At once

    @Test("readers that ask at once have it read once")
    func readOnce() async throws {
        let (pages, sent) = try await atOnce([.success(page(1...2, head: 2))])

        #expect(sent.allSatisfy { $0.count == 2 } && sent.count == 3)
        #expect(pages.page(name(0)) != nil)
    }

    @Test(
        "where the first one found nothing or failed the others read for themselves",
        arguments: [.success(EntryPage(entries: [], head: 0)), .failure(.unknownRealm)]
            as [Result<EntryPage, SyncServerError>]
    )
    func readAlone(first: Result<EntryPage, SyncServerError>) async throws {
        let found = Result<EntryPage, SyncServerError>.success(page(1...2, head: 2))

        let (_, sent) = try await atOnce([first, found, found])

        #expect(sent.count { $0.count == 2 } == 2)
    }

    /// What three readers get, of whom two ask while the first one reads; another reading than the ones that are given is a mistake.
    private func atOnce(
        _ readings: [Result<EntryPage, SyncServerError>]
    ) async throws -> (EncodedPages, [EncodedPages.Page]) {
        let (begins, waits, goesOn) = (Signal(), Signal(), Signal())
        let pages = EncodedPages(waits: { waits.happens() })
        let left = Mutex(readings)
        let isFirst = Mutex(true)
        let name = name(0)
        let read: @Sendable () async throws -> EntryPage = {
            let reading = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if isFirst.withLock({ first in
                defer { first = false }
                return first
            }) {
                begins.happens()
                await goesOn.waits()
            }
            return try #require(reading).get()
        }
        return try await withThrowingTaskGroup(of: EncodedPages.Page?.self) { group in
            group.addTask {
                do {
                    return try await pages.page(name, read)
                } catch is SyncServerError {
                    return nil
                }
            }
            await begins.waits()
            for _ in 0..<2 { group.addTask { try await pages.page(name, read) } }
            await waits.waits(for: 2)
            goesOn.happens()
            var sent: [EncodedPages.Page] = []
            for try await page in group { if let page { sent.append(page) } }
            return (pages, sent)
        }
    }
}
