import EventDestinations
import EventModel
import EventModelTesting
import Synchronization
import Testing

@Suite("The destination of a folder")
struct SharedDestinationTests {
    private func open(_ parts: Destination.Parts) throws -> Destination {
        try Destinations().destination(at: "/ward", key: nil) { parts }
    }

    @Test("it keeps the rules of a sink")
    func sink() {
        let kit = EventSinkConformance(
            make: { try open(.sample(uploader: FakeEventUploader())) },
            readBack: { $0.files.sink.events }
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("events of a removed user are refused before they reach the files, and those before stay")
    func removedUser() throws {
        let upload = FakeEventUploader()
        let destination = try open(.sample(uploader: upload))
        _ = try destination.append([.sample(1)])

        upload.removeUser()

        #expect(throws: FakeEventUploader.UserIsGone.self) { try destination.append([.sample(2)]) }
        #expect(destination.files.sink.events.map(\.activity) == ["event 1"])
    }

    @Test("a removed user's losses are entered all the same, and the partition can be closed")
    func ledgerOfRemovedUser() throws {
        let upload = FakeEventUploader()
        let destination = try open(.sample(uploader: upload))
        _ = try destination.append([.sample(1)])
        upload.removeUser()
        let loss = LossEntry(reason: .writeFailed, count: 1, noticed: EventInstant(microseconds: 0))

        destination.note([loss])
        try destination.closePartition()

        #expect(destination.files.sink.losses == [loss])
        #expect(destination.files.sealCount == 1)
    }

    @Test("without a user events are stored, and nobody is asked")
    func local() throws {
        let destination = try open(.sample())

        let receipt = try destination.append([.sample()])

        #expect(receipt.count == 1)
        #expect(destination.uploader == nil)
    }

    @Test(
        "the upload runs from the beginning and is woken by events; it ends with the destination, whose files are closed"
    )
    func upload() async throws {
        let (upload, files) = (FakeEventUploader(), FakeEventFiles())
        var destination: Destination? = try open(.sample(files: files, uploader: upload))
        var steps = upload.steps.makeAsyncIterator()
        #expect(await steps.next() == .began)

        _ = try destination?.append([.sample()])
        #expect(await steps.next() == .woken)

        destination = nil
        #expect(await steps.next() == .ended)
        #expect(files.isClosed)
    }

    @Test("the files of nobody's events are left to those who hold them")
    func localEnd() throws {
        let files = FakeEventFiles()
        _ = try open(.sample(files: files))

        #expect(!files.isClosed)
    }

    @Test("files that cannot be closed are named in the log")
    func failedEnd() throws {
        let lines = Mutex<[String]>([])
        let files = FakeEventFiles()
        files.failNextCloses(with: [FakeEventFiles.Closed()])

        _ = try open(
            .sample(files: files, uploader: FakeEventUploader()) { level, line in
                lines.withLock { $0.append("\(level): \(line)") }
            }
        )

        #expect(
            lines.withLock(\.self)
                == ["warn: Events: the files of /ward are closed by the next one that opens them. Closed()"]
        )
    }

    @Test("the partitions that were written are named once, in order")
    func partitionsWritten() throws {
        let destination = try open(.sample())
        for number in 1...3 { _ = try destination.append([.sample(UInt32(number))]) }

        #expect(destination.partitionsWritten == [destination.files.sink.partition])
    }

    @Test("a partition is closed on another thread, too")
    func closingElsewhere() async throws {
        let destination = try open(.sample())
        _ = try destination.append([.sample()])

        try await destination.closingPartition().get()

        #expect(destination.files.sealCount == 1)
    }
}
