import EventModel
import EventModelTesting
import Testing

@Suite("Fakes of files that are shared, and of their upload")
struct EventFilesFakesTests {
    @Test("the files in memory keep the rules")
    func files() async {
        let kit = EventFilesConformance { FakeEventFiles(encryptionKey: $0) }

        #expect(await kit.brokenRules() == [])
    }

    /// Files that take any key and never end.
    private final class Liar: EventFiles {
        let files = FakeEventFiles()
        func requireKey(_ key: EventEncryptionKey?) throws(EventModelError) {}
        func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
        func seal() throws {}
        func close() throws {}
        func append(_ events: [AuditEvent]) throws -> AppendReceipt { try files.append(events) }
        func note(_ losses: [LossEntry]) {}
        func enterLosses() {}
        func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId> { [] }
        func noteDeletions() -> DeletionNoting { DeletionNoting {} }
    }

    @Test("a liar breaks them")
    func liar() async {
        let broken = await EventFilesConformance { _ in Liar() }.brokenRules()

        #expect(broken.count == 4)
    }

    @Test("a failure to close is thrown once and leaves the files open")
    func failedClose() throws {
        let files = FakeEventFiles()
        files.failNextCloses(with: [FakeEventFiles.Closed()])

        #expect(throws: FakeEventFiles.Closed.self) { try files.close() }
        #expect(!files.isClosed)
        try files.close()
        #expect(files.isClosed)
    }

    @Test("the upload reports that it began, what woke it and that it ended, and refuses a removed user")
    func upload() async throws {
        let upload = FakeEventUploader()
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        change.yield()
        change.finish()

        await upload.run(waking: changes)

        var steps = upload.steps.makeAsyncIterator()
        #expect(await [steps.next(), steps.next(), steps.next()] == [.began, .woken, .ended])
        try upload.requireUser()
        upload.removeUser()
        #expect(throws: FakeEventUploader.UserIsGone.self) { try upload.requireUser() }
    }
}
