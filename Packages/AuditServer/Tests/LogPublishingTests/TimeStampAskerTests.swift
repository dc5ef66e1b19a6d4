import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Testing
import TimeStamping

@testable import LogPublishing

@Suite("Asking an authority for time-stamps", .enabled(if: SampleAuthority.isInstalled), .timeLimit(.minutes(5)))
struct TimeStampAskerTests {
    private let place: TestFolder
    private let store = InMemoryEventStore()
    private let authority: SampleAuthority
    private let publisher: LogPublisher

    init() throws {
        place = try TestFolder.made()
        authority = try Self.authority("authority", in: place)
        publisher = LogPublisher(
            log: store,
            folder: LogFolder(at: place.file("log"), in: POSIXFileSystem()),
            signer: try SampleDevice.serverKey.logSigner(origin: "example.com/daybook")
        )
    }

    private static func authority(_ name: String, in place: TestFolder) throws -> SampleAuthority {
        try POSIXFileSystem().makeDirectory(place.file(name))
        return try SampleAuthority(in: place.file(name))
    }

    private func asker(_ stamped: StampedLog, trusting other: SampleAuthority? = nil) throws -> TimeStampAsker {
        let trust = try (other ?? authority).trust
        let settings = try TimeStampSettings(url: "http://authority.example/tsr", trust: trust)
        return TimeStampAsker(settings, of: stamped, transport: authority)
    }

    /// The checkpoint over so many entries.
    private func checkpoint(_ size: UInt32) async throws -> SignedCheckpoint {
        let count = try await store.withLog(durably: false) { $0.count }
        try await store.acceptSealed(UInt32(count) + 1...size)
        return try #require(try await publisher.publish())
    }

    /// The time of the system, which is that of the authority, and some minutes.
    private func reading(after minutes: Int64 = 0) -> ClockReading {
        let now = SystemClock().now()
        return ClockReading(
            wall: EventInstant(microseconds: now.wall.microseconds + minutes * 60_000_000),
            monotonicNanoseconds: now.monotonicNanoseconds,
            boot: now.boot
        )
    }

    @Test("a log that grows is time-stamped once an hour, also over restarts, and openssl reads the files")
    func hours() async throws {
        let stamped = StampedLog(in: publisher.folder)
        var asker = try asker(stamped)
        let first = try await checkpoint(3)
        #expect(asker.isDue(for: first, at: reading()))
        #expect(await asker.ask(for: first, at: reading()) == nil)
        #expect(!asker.isDue(for: first, at: reading(after: 1000)), "the log has not grown")

        let second = try await checkpoint(5)
        #expect(!asker.isDue(for: second, at: reading(after: 58)))
        #expect(asker.isDue(for: second, at: reading(after: 61)))
        #expect(asker.isDue(for: second, at: reading(after: -120)), "the clock went back")

        let again = StampedLog(in: publisher.folder)
        asker = try self.asker(again)
        #expect(try again.sizes() == [3])
        #expect(!asker.isDue(for: second, at: reading(after: 58)))
        #expect(await asker.ask(for: second, at: reading()) == nil)
        #expect(try again.sizes() == [3, 5])
        #expect(try (0...5).map { try again.size(covering: $0) } == [3, 3, 3, 5, 5, nil])

        for signed in [first, second] {
            let size = signed.checkpoint.size
            let bytes = try #require(try again.bytes(of: .checkpoint, at: size))
            #expect(bytes == signed.note.bytes)
            #expect(try authority.verifies(#require(try again.bytes(of: .reply, at: size)), over: bytes))
        }
        #expect(try again.bytes(of: .reply, at: 4) == nil)
    }

    @Test("an authority that is away, or says something else, is a sentence, and nothing is kept of it")
    func wrongAnswers() async throws {
        let other = try Self.authority("other", in: place)
        let stamped = StampedLog(in: publisher.folder)
        var asker = try asker(stamped)
        let signed = try await checkpoint(3)
        let foreign = try authority.reply(to: TimeStampRequest(over: [1], nonce: 1).bytes())
        let older = try authority.reply(to: TimeStampRequest(over: signed.note.bytes, nonce: 1).bytes())
        let answers: [(OutsideResponse, String)] = [
            (OutsideResponse(status: 503), "answers with status 503"),
            (OutsideResponse(status: 200, body: Array("<html>".utf8)), "no time-stamp of RFC 3161"),
            (OutsideResponse(status: 200), "no time-stamp of RFC 3161"),
            (OutsideResponse(status: 200, body: foreign), "of other bytes"),
            (OutsideResponse(status: 200, body: older), "another request"),
            (OutsideResponse(status: 200, body: Array(older.dropLast(9))), "no time-stamp of RFC 3161"),
        ]
        for (answer, words) in answers {
            authority.say([answer])
            let concern = await asker.ask(for: signed, at: reading())
            #expect(concern?.description.contains(words) == true, "\(words): \(concern.debugDescription)")
            #expect(stamped.concern == concern)
        }
        #expect(asker.pause == .seconds(64))
        authority.isAway = true
        #expect(await asker.ask(for: signed, at: reading()) == .unreachable(reason: "nobody is there"))
        authority.isAway = false
        var trusting = try self.asker(stamped, trusting: other)
        let untrusted = await trusting.ask(for: signed, at: reading())
        #expect(untrusted?.description.contains("No certificate that is trusted") == true)
        #expect(try stamped.sizes().isEmpty)

        #expect(await asker.ask(for: signed, at: reading()) == nil)
        #expect(try stamped.sizes() == [3] && stamped.concern == nil && asker.pause == .seconds(1))
    }

    @Test("a server whose clock is another one than the authority's is told so, and the time-stamp counts")
    func clocks() async throws {
        let stamped = StampedLog(in: publisher.folder)
        var asker = try asker(stamped)
        for (size, minutes) in [(1, 30), (2, -30)] as [(UInt32, Int64)] {
            let concern = await asker.ask(for: try checkpoint(size), at: reading(after: minutes))
            let words = minutes > 0 ? "seconds ahead of" : "seconds behind"
            #expect(concern?.description.contains(words) == true && asker.pause == .seconds(1))
        }
        #expect(try stamped.sizes() == [1, 2])
        #expect(await asker.ask(for: try checkpoint(3), at: reading(after: 4)) == nil)
    }

    @Test("what a process left that died while it kept a time-stamp is none, and a folder that cannot be used is told")
    func folders() async throws {
        let files = POSIXFileSystem()
        try files.makeDirectory(place.file("log/time-stamps"))
        for name in ["3.checkpoint", "03.tsr", "x.tsr", "4.tsr.new", "-1.tsr"] {
            try files.replaceFile(at: place.file("log/time-stamps/\(name)"), with: [1])
        }
        let stamped = StampedLog(in: publisher.folder)
        #expect(try stamped.sizes().isEmpty)
        #expect(try stamped.bytes(of: .checkpoint, at: 3) == nil)

        try files.replaceFile(at: place.file("other"), with: [])
        let unusable = StampedLog(in: LogFolder(at: place.file("other"), in: files))
        var asker = try asker(unusable)
        let signed = try await checkpoint(1)
        #expect(!asker.isDue(for: signed, at: reading()))
        #expect(unusable.concern?.description.contains("cannot be read") == true)
        let concern = await asker.ask(for: signed, at: reading())
        #expect(concern?.description.contains("cannot be kept") == true)
        for concern in [unusable.concern, concern] { #expect(concern?.description.contains(place.file("")) == false) }
        #expect(!asker.isDue(for: signed, at: reading()))
        try files.remove(place.file("other"))
        #expect(asker.isDue(for: signed, at: reading()))
        #expect(unusable.concern == nil, "what could not be read can be")
    }

    @Test(
        "an address or a pause that cannot be is refused",
        arguments: [
            ("ftp://authority.example", 60), ("authority.example/tsr", 60), ("http://user@authority.example/", 60),
            ("http://authority.example/tsr", 4), ("http://authority.example/tsr", 1441),
        ]
    )
    func settings(_ url: String, _ minutes: Int) throws {
        let trust = try authority.trust
        #expect(throws: LogPublishingError.self) { try TimeStampSettings(url: url, trust: trust, minutes: minutes) }
    }
}
