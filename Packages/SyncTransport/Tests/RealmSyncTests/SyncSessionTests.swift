import ChangeModel
import ChangeModelTesting
import Dispatch
import EventModel
import EventModelTesting
import SyncTransportTesting
import Synchronization
import Testing

@testable import RealmSync

@Suite("Sessions of a realm's file", .timeLimit(.minutes(5)))
struct SyncSessionTests {
    private static let person = ObjectAddress.sample()
    private let server = InMemoryRealmServer()

    @Test("what one file commits is in the other one, both ways, and who waits is told")
    func bothWays() async throws {
        let (a, b) = (SessionFixture(server), SessionFixture(server))
        a.session.resume()
        b.session.resume()
        a.commit(Self.person.create(["name": "Ada"]))
        try await a.settle()
        try await b.settle()
        #expect(b.store.contents == server.contents)

        b.commit(Self.person.set("name", "Bea"))
        try await b.settle()
        try await a.settle()

        #expect(a.store.contents == server.contents)
        #expect(a.store.contents == b.store.contents)
        #expect(a.store.syncState().pendingChanges == 0)
        #expect([a.session.position, b.session.position] == [2, 2])
    }

    @Test("a session does nothing before it is resumed, and nothing after it is suspended; its realm is written")
    func suspending() async throws {
        let a = SessionFixture(server)
        a.commit(Self.person.create())
        #expect(a.session.state == .inactive)
        #expect(a.transport.calls == [])
        a.session.resume()
        try await a.settle()
        #expect(a.session.state == .active)
        #expect(a.session.connectionState == .connected)

        a.session.suspend()
        a.commit(Self.person.set("name", "Ada"))

        #expect(a.session.state == .inactive)
        await #expect(throws: SyncError.self) { try await a.session.wait(for: .upload) }
        a.session.resume()
        try await a.settle()
        #expect(server.head == 2)
    }

    @Test("of the requests for news the first of a session is answered at once, and those behind it wait")
    func firstRequest() async throws {
        let (waits, asked) = AsyncStream.makeStream(of: Duration.self)
        let a = SessionFixture(server, lying: { BentTransport(way: $0, asked: { asked.yield($0) }) })
        var next = waits.makeAsyncIterator()
        for _ in 0..<2 {
            a.session.resume()
            #expect(await next.next(isolation: #isolation) == .milliseconds(1))
            #expect(try await #require(next.next(isolation: #isolation)) > .seconds(1))
            a.session.suspend()
        }
    }

    @Test("an answer that is lost costs a pause, and nothing is done twice")
    func lostAnswer() async throws {
        let a = SessionFixture(server, script: [.honest])
        a.session.resume()
        try await a.settle()
        a.session.suspend()
        a.transport.append([.loseAnswer, .honest, .fail(.unreachable), .loseAnswer])
        a.commit(Self.person.create())
        a.session.resume()
        let waiting = Task { try await a.settle() }
        // However the calls fall on the script, each failure is followed by one pause.
        let pauses = Task { while await a.sleep.nextPause() != nil { a.sleep.advance(by: .seconds(300)) } }

        try await waiting.value
        pauses.cancel()

        #expect(server.head == 1)
        #expect(a.store.contents == server.contents)
        #expect(a.store.syncState().pendingChanges == 0)
    }

    @Test("a failure is told behind the end of its attempt: who asks for the next one then does not wait for the pause")
    func failureIsTold() async throws {
        let board = Mutex<SyncBoard?>(nil)
        let told = Mutex<Int?>(nil)
        let a = SessionFixture(
            server,
            script: [.fail(.unreachable)],
            // The pause is drawn where the attempt ends.
            fraction: {
                told.withLock { $0 = board.withLock(\.self)?.facts.failures }
                return 0
            }
        )
        board.withLock { $0 = a.session.board }
        a.session.resume()
        #expect(await a.sleep.nextPause() == .seconds(1))

        #expect(told.withLock(\.self) == 0)
        try await a.session.board.until { $0.failures == 1 ? () : nil }
    }

    @Test("a pause ends when somebody asks for it, but not one that the server asked for")
    func pauses() async throws {
        let a = SessionFixture(server, script: [.fail(.unreachable), .fail(.busy(retryAfterSeconds: 40))])
        a.session.resume()
        #expect(await a.sleep.nextPause() == .seconds(1))
        a.session.reconnect()
        #expect(await a.sleep.nextPause() == .seconds(40))
        a.session.reconnect()
        #expect(a.transport.calls.count == 2)
        a.sleep.advance(by: .seconds(40))

        try await a.settle()
        #expect(a.session.connectionState == .connected)
    }

    @Test("a new file takes a snapshot, and what was pending in it is kept")
    func snapshot() async throws {
        let (a, b) = (SessionFixture(server), SessionFixture(server))
        for key in 1...20 as ClosedRange<Int64> { a.commit(ObjectAddress.sample(key).create(["name": "Ada"])) }
        a.session.resume()
        try await a.settle()
        b.commit(ObjectAddress.sample(99).create())

        b.session.resume()
        try await b.settle()
        try await a.settle()

        #expect(b.transport.calls.contains(.objects(after: nil)))
        #expect(b.store.contents == server.contents)
        #expect(a.store.contents == server.contents)
        #expect(server.contents.objects.count == 21)
    }

    @Test("a file that is behind the floor takes a snapshot and sends what it has")
    func floor() async throws {
        let (a, b) = (SessionFixture(server), SessionFixture(server))
        a.commit(Self.person.create())
        a.session.resume()
        b.session.resume()
        try await a.settle()
        try await b.settle()
        b.session.suspend()
        for name in ["x", "y", "z"] as [ExactText] { a.commit(Self.person.set("name", .string(name))) }
        try await a.settle()
        b.commit(ObjectAddress.sample(2).create())
        server.raiseFloor(to: 3)

        b.session.resume()
        try await b.settle()
        try await a.settle()

        #expect(b.store.contents == server.contents)
        #expect(a.store.contents == server.contents)
    }

    @Test(
        "a batch without an answer that arrives while a snapshot begins is there once",
        arguments: [.beforeThePage, .behindThePage, .behindTheSecondBind] as [LateBatch.Moment]
    )
    func lateBatch(moment: LateBatch.Moment) async throws {
        let other = SessionFixture(server)
        other.commit(Self.person.create(["count": 0, "name": "Ada"]))
        other.session.resume()
        try await other.settle()
        let late = LateBatch(at: moment)
        let mine = SessionFixture(server, lying: { LateTransport(way: $0, late: late) })
        mine.session.resume()
        try await mine.settle()
        mine.commit(ChangeOperation(Self.person, .add(CellPath("count"), 1)), Self.person.set("name", "Ben"))
        #expect(await late.isLost)
        mine.session.suspend()
        mine.commit(ChangeOperation(Self.person, .add(CellPath("count"), 10)))
        other.commit(ChangeOperation(Self.person, .add(CellPath("count"), 100)))
        try await other.settle()
        server.raiseFloor(to: server.head)

        mine.session.resume()
        try await mine.settle()
        try await other.settle()

        #expect(late.hasArrived)
        #expect(mine.store.violations(of: server.contents) == [])
        #expect(mine.store.contents == server.contents)
        #expect(other.store.contents == server.contents)
        #expect(server.contents[Self.person, CellPath("count")] == .int(111))
    }

    @Test(
        "what does not mend itself ends the session, keeps everything, and is told once",
        arguments: [
            (SyncFailure.forbidden, SyncError.Code.permissionDeniedError), (.historyChanged, .clientResetError),
            (.fileInUse, .clientResetError), (.conflict, .clientResetError),
            (.invalidSchemaChange(["No."]), .clientSessionError), (.unsupportedVersion, .clientSessionError),
            (.refused("Why."), .clientInternalError),
        ]
    )
    func fatal(failure: SyncFailure, code: SyncError.Code) async throws {
        let a = SessionFixture(server, script: [.fail(failure)])
        a.commit(Self.person.create())

        a.session.resume()

        #expect(await a.nextError()?.code == code)
        #expect(a.session.state == .invalid)
        await #expect(throws: SyncError.self) { try await a.session.wait(for: .upload) }
        #expect(a.store.syncState().pendingChanges == 1)
        a.session.resume()
        #expect(a.session.state == .invalid)
    }

    @Test("an own write that the server refused is undone and told, with its object and reason")
    func rejected() async throws {
        let server = InMemoryRealmServer { operation in
            if case .set = operation.action { .noWrite(rule: 1) } else { nil }
        }
        let a = SessionFixture(server)
        a.session.resume()
        a.commit(Self.person.create(["name": "Ada"]))
        a.commit(Self.person.set("name", "Bea"))
        try await a.settle()

        let error = try #require(await a.nextError())

        #expect(error.code == .writeRejected)
        #expect(error.compensatingWriteInfo?.map(\.objectType) == ["Person"])
        #expect(error.compensatingWriteInfo?.map(\.key) == [.int(1)])
        #expect(error.compensatingWriteInfo?.map(\.reason) == ["The user may not change the object."])
        #expect(a.session.state == .active)
        #expect(a.store.contents == server.contents)
    }

    @Test("the state of the connection is told as it changes, to each who listens")
    func connectionStates() async throws {
        let a = SessionFixture(server, script: [.delay])
        var states = a.session.connectionStates.makeAsyncIterator()
        #expect(await states.next() == .disconnected)
        a.session.resume()
        #expect(await states.next() == .connecting)
        var arrivals = a.transport.arrivals.makeAsyncIterator()
        _ = await arrivals.next()
        a.transport.release()
        while let state = await states.next(), state != .connected {}

        #expect(a.session.connectionState == .connected)
        a.session.close()
        while await states.next() != nil {}
    }

    @Test("who waits with a block is called once, also with why it is in vain")
    func blocks() async throws {
        let a = SessionFixture(server)
        a.session.resume()
        a.commit(Self.person.create())
        let done = await withCheckedContinuation { continuation in
            a.session.wait(for: .upload) { continuation.resume(returning: $0 == nil) }
        }
        a.session.close()
        a.commit(Self.person.set("name", "A"))
        let failed = await withCheckedContinuation { continuation in
            a.session.wait(for: .upload, queue: DispatchQueue(label: "test")) {
                continuation.resume(returning: $0 is SyncError)
            }
        }

        #expect(done)
        #expect(failed)
    }

    @Test("who waits and is cancelled is told so")
    func cancellation() async throws {
        let a = SessionFixture(server, script: [.delay])
        a.session.resume()
        let waiting = Task { try await a.session.wait(for: .download) }

        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("a session waits while another process syncs the file, and takes over when that ends")
    func takeover() async throws {
        let a = SessionFixture(server)
        a.place.isElsewhere.withLock { $0 = true }
        a.commit(Self.person.create())
        a.session.resume()
        #expect(await a.sleep.nextPause() == .seconds(2))
        #expect(a.transport.calls == [])
        a.place.isElsewhere.withLock { $0 = false }
        a.sleep.advance(by: .seconds(2))

        try await a.settle()
        #expect(server.head == 1)
    }

    @Test("the file is let go when a session is closed, also in the middle of an exchange")
    func closing() async throws {
        let a = SessionFixture(server)
        a.session.resume()
        try await a.settle()
        await a.session.closed()
        let calls = a.transport.calls
        a.commit(Self.person.create())

        #expect(a.transport.calls == calls)
        #expect(a.session.state == .inactive)
        a.session.resume()
        #expect(a.session.state == .inactive)
    }

    @Test("who is cancelled while it closes a session is told no earlier that the file is let go")
    func closingCancelled() async throws {
        let a = SessionFixture(server)
        a.session.resume()
        try await a.settle()
        #expect(a.place.holderCount == 1)

        let closing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await a.session.closed()
            return a.place.holderCount
        }

        #expect(await closing.value == 0)
    }

    @Test("a session that nobody holds ends by itself, with its exchange")
    func letGo() async throws {
        var a: SessionFixture? = SessionFixture(server)
        weak let session = a?.session
        a?.session.resume()
        try await a?.settle()
        let states = a?.session.connectionStates
        let transport = a?.transport
        a = nil

        if let states { for await _ in states {} }
        #expect(session == nil)
        #expect(transport?.calls.isEmpty == false)
    }

    @Test("an error handler may ask the session for something")
    func reentry() async throws {
        let a = SessionFixture(server, script: [.fail(.unauthorized)], onError: { $0.suspend() })
        a.session.resume()
        _ = await a.nextError()

        #expect(a.session.state == .inactive)
        a.session.resume()
        try await a.settle()
    }
}
