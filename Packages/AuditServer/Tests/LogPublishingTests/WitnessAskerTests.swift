import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import LogPublishing
import Testing

@Suite("Asking witnesses for cosignatures")
struct WitnessAskerTests {
    private let place: TestFolder
    private let clock = ManualClock()
    private let witnesses: [SampleWitness]

    init() throws {
        place = try TestFolder.made()
        let key = try SampleDevice.serverKey.logSigner(origin: "example.com/daybook").verifierKey
        let clock = clock
        witnesses = try (1...3).map { try SampleWitness($0, of: key, clock: clock) }
    }

    private func server(
        _ store: InMemoryEventStore,
        _ folder: String = "log",
        quorum: Int? = nil
    ) throws -> WitnessedServer {
        try WitnessedServer(
            store,
            in: LogFolder(at: place.file(folder), in: POSIXFileSystem()),
            witnesses: witnesses,
            quorum: quorum
        )
    }

    @Test(
        "each checkpoint is cosigned by all witnesses, also by one that was away and by another process of the server"
    )
    func growth() async throws {
        let store = InMemoryEventStore()
        var server = try server(store)
        try await server.publish(at: clock.now())
        for (round, size) in ([1, 2, 7, 8, 255, 257, 300] as [UInt32]).enumerated() {
            let before = UInt32(try #require(server.publisher.newest).checkpoint.size)
            try await store.acceptSealed(before + 1...size)
            witnesses[0].isAway = round.isMultiple(of: 2)
            // A new process knows nothing of what witnesses have seen.
            if round.isMultiple(of: 3) { server = try self.server(store) }
            clock.advance(microseconds: 1_000_000)
            try await server.publish(at: clock.now())
            let concerns = await server.ask(at: clock.now()).compactMap(\.self)

            #expect(concerns == (witnesses[0].isAway ? [.unreachable(reason: "nobody is there")] : []))
            let accepted = try #require(server.cosigned.cosigned)
            #expect(accepted.checkpoint.size == UInt64(size))
            #expect(accepted.cosignatures.count == (witnesses[0].isAway ? 2 : 3))
            #expect(server.cosigned.shown == accepted.signed)
            #expect(server.cosigned.concerns.count == (witnesses[0].isAway ? 1 : 0))
        }
        witnesses[0].isAway = false
        #expect(await server.ask(at: clock.now()) == [nil])
        #expect(await server.ask(at: clock.now()).isEmpty, "nobody is asked twice for the same")
    }

    @Test("a server that another one on the same database has overtaken asks again for the next checkpoint")
    func severalServers() async throws {
        let store = InMemoryEventStore()
        var (slow, quick) = (try server(store), try server(store, "other"))
        for size in [3, 6, 9] as [UInt32] {
            try await store.acceptSealed(size - 2...size)
            try await slow.publish(at: clock.now())
            try await store.acceptSealed(size + 100...size + 100)
            try await quick.publish(at: clock.now())
            #expect(await quick.ask(at: clock.now()) == [nil, nil, nil])
            #expect(await slow.ask(at: clock.now()) == [nil, nil, nil], "it is no concern")
            #expect(slow.cosigned.cosigned?.checkpoint.size ?? 0 < quick.cosigned.cosigned?.checkpoint.size ?? 0)

            try await slow.publish(at: clock.now())
            #expect(await slow.ask(at: clock.now()) == [nil, nil, nil])
            #expect(slow.cosigned.cosigned?.checkpoint == quick.cosigned.cosigned?.checkpoint)
        }
    }

    @Test("a server that shows two histories gets no quorum for the second one, and says what it did")
    func splitView() async throws {
        let (first, second) = (InMemoryEventStore(), InMemoryEventStore())
        try await first.acceptSealed(1...5)
        try await second.acceptSealed(11...17)
        var (honest, other) = (try server(first), try server(second, "other"))
        try await honest.publish(at: clock.now())
        try await other.publish(at: clock.now())
        #expect(await honest.ask(at: clock.now()) == [nil, nil, nil])

        let concerns = await other.ask(at: clock.now()).compactMap(\.self)
        #expect(concerns == [WitnessConcern](repeating: .otherHistory(size: 7), count: 3))
        let isContradiction = concerns.allSatisfy(\.isContradiction)
        #expect(isContradiction)
        #expect(other.cosigned.cosigned == nil && other.cosigned.concerns.count == 4)
        // What it shows has its own signature, and whoever asks for witnesses does not believe it.
        let shown = try #require(other.cosigned.shown)
        #expect(throws: ProofError.quorumMissed(found: 0, needed: 2)) { try other.cosigned.policy.verify(shown) }
    }

    @Test("two histories, each shown to some of the witnesses first, never both have more than half of them")
    func halves() async throws {
        let (first, second) = (InMemoryEventStore(), InMemoryEventStore())
        try await first.acceptSealed(1...5)
        try await second.acceptSealed(11...15)
        var (one, other) = (try server(first), try server(second, "other"))
        try await one.publish(at: clock.now())
        try await other.publish(at: clock.now())
        (witnesses[1].isAway, witnesses[2].isAway) = (true, true)
        _ = await one.ask(at: clock.now())
        (witnesses[1].isAway, witnesses[2].isAway) = (false, false)

        #expect(await other.ask(at: clock.now()) == [.otherHistory(size: 5), nil, nil])
        #expect(other.cosigned.cosigned != nil)
        _ = await one.ask(at: clock.now())
        #expect(one.cosigned.cosigned == nil)
    }

    @Test("a database that was put back, with all its files, is told by the witnesses")
    func ahead() async throws {
        let (store, older) = (InMemoryEventStore(), InMemoryEventStore())
        try await store.acceptSealed(1...9)
        try await older.acceptSealed(1...4)
        var (before, after) = (try server(store), try server(older, "other"))
        try await before.publish(at: clock.now())
        _ = await before.ask(at: clock.now())
        try await after.publish(at: clock.now())

        let concerns = await after.ask(at: clock.now())
        #expect(concerns == [WitnessConcern](repeating: .ahead(cosigned: 9, size: 4), count: 3))
        #expect(after.cosigned.concerns.first?.contains("put back") == true)
    }

    @Test(
        "a witness that fails is asked less often, at most every five minutes, and as often as before once it cosigns"
    )
    func backoff() async throws {
        let store = InMemoryEventStore()
        var server = try server(store)
        try await server.publish(at: clock.now())
        witnesses[0].isAway = true
        var pauses: [Duration] = []
        for _ in 0..<11 {
            _ = await server.ask(at: clock.now())
            pauses.append(server.askers[0].pause)
        }
        #expect(pauses == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { .seconds($0) })
        #expect(witnesses[1].requests == 1, "the others are not asked more often because of it")
        witnesses[0].isAway = false
        #expect(await server.ask(at: clock.now()) == [nil])
        #expect(server.askers[0].pause == .seconds(1))
    }

    @Test("a log that rests is cosigned again every hour, with one line for each witness")
    func renewal() async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...3)
        var server = try server(store)
        try await server.publish(at: clock.now())
        _ = await server.ask(at: clock.now())
        let first = try #require(server.cosigned.cosigned)

        clock.advance(microseconds: 3599_000_000)
        #expect(await server.ask(at: clock.now()).isEmpty)
        clock.advance(microseconds: 1_000_000)
        #expect(await server.ask(at: clock.now()) == [nil, nil, nil])
        let second = try #require(server.cosigned.cosigned)
        #expect(second.checkpoint == first.checkpoint && second.signed.note.signatures.count == 4)
        for (before, after) in zip(first.cosignatures, second.cosignatures) {
            let seconds = try #require(before.cosignedSeconds)
            #expect(after.cosignedSeconds == seconds + 3600)
        }
    }

    @Test(
        "an answer that is none of a witness is a concern, and nothing of it is kept",
        arguments: [
            (OutsideResponse(status: 200, body: Array("hello\n".utf8)), WitnessConcern.unreadable),
            (OutsideResponse(status: 200), .unreadable),
            (OutsideResponse(status: 204), .unavailable(status: 204)),
            (OutsideResponse(status: 301), .unreadable),
            (OutsideResponse(status: 400), .misunderstood),
            (OutsideResponse(status: 401), .unreadable),
            (OutsideResponse(status: 403), .unknownKey),
            (OutsideResponse(status: 404), .unknownLog),
            (OutsideResponse(status: 409), .otherHistory(size: 3)),
            (OutsideResponse(status: 422), .otherHistory(size: 3)),
            (OutsideResponse(status: 429), .unavailable(status: 429)),
            (OutsideResponse(status: 500), .unavailable(status: 500)),
            (size("0\n"), .unreadable), (size("2"), .unreadable), (size("-1\n"), .unreadable),
            (size("99999999999999999999\n"), .unreadable), (size("4\n"), .ahead(cosigned: 4, size: 3)),
        ]
    )
    func otherAnswers(answer: OutsideResponse, concern: WitnessConcern) async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...3)
        var server = try server(store)
        try await server.publish(at: clock.now())
        witnesses[0].say([answer])

        #expect(await server.ask(at: clock.now()) == [concern, nil, nil])
        #expect(server.cosigned.newest?.note.signatures.count == 3)
        #expect(server.cosigned.cosigned?.cosignatures.count == 2, "the two others are enough")
        #expect(!concern.description.isEmpty && concern.description.hasSuffix("."))
    }

    private static func size(_ text: String) -> OutsideResponse {
        OutsideResponse(status: 409, contentType: WitnessAnswer.sizeType, body: Array(text.utf8))
    }

    @Test("a witness that tells one size after the other is asked twice, and not for ever")
    func sizes() async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...3)
        var server = try server(store)
        try await server.publish(at: clock.now())
        witnesses[0].say([Self.size("1\n"), Self.size("2\n"), Self.size("1\n"), Self.size("2\n")])

        #expect(await server.ask(at: clock.now()) == [.unreadable, nil, nil])
        #expect(witnesses[0].requests == 2)
    }

    @Test("the cosignature of another key, or of another checkpoint, is not taken, and lines of others are left out")
    func foreignLines() async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...3)
        var server = try server(store)
        try await server.publish(at: clock.now())
        let newest = try #require(server.publisher.newest).checkpoint
        let other = try Checkpoint(origin: newest.origin, size: 2, root: newest.root)
        let now = clock.now().wall
        let own = try newest.cosigned(by: witnesses[0].signer, at: now)
        let foreign = try newest.cosigned(by: witnesses[1].signer, at: now)
        let wrong = try other.cosigned(by: witnesses[0].signer, at: now)

        for lines in [[foreign], [wrong], [own, wrong]] {
            witnesses[0].say([OutsideResponse(status: 200, body: WitnessAnswer(lines).bytes)])
            #expect(await server.ask(0, at: clock.now()) == .otherKey)
            #expect(server.cosigned.newest?.note.signatures.count == 1)
        }
        witnesses[0].say([OutsideResponse(status: 200, body: WitnessAnswer([foreign, own]).bytes)])
        #expect(await server.ask(0, at: clock.now()) == nil)
        #expect(
            server.cosigned.newest?.note.signatures.map(\.name.string) == ["example.com/daybook", "witness.example/w1"]
        )
    }

    @Test("a witness is not asked for what the database does not have any more")
    func unprovable() async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...3)
        var server = try server(store)
        try await server.publish(at: clock.now())
        let newest = try #require(server.publisher.newest)
        var asker = WitnessAsker(try witnesses[0].address, log: InMemoryEventStore(), transport: witnesses[0])

        #expect(await asker.ask(for: newest, of: server.cosigned, at: clock.now()) == .unprovable)
        #expect(witnesses[0].requests == 0)
    }
}
