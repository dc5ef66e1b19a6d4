import ChangeModel
import ChangeModelTesting
import EventModel
import SyncTransportTesting
import Testing

@testable import RealmSync

@Suite("The sessions of a process", .timeLimit(.minutes(5)))
struct OpenSessionsTests {
    private static let person = ObjectAddress.sample()
    private let server = InMemoryRealmServer()

    @Test("a file has one session, however many instances use it, and it ends after the last of them")
    func sharing() async throws {
        let sessions = OpenSessions()
        let a = SessionFixture(server)
        var first: SessionUse? = try sessions.session(at: "a") { a.session }
        var second: SessionUse? = try sessions.session(at: "a") { throw CancellationError() }
        #expect(first?.session === second?.session)
        #expect(a.session.state == .active)
        first = nil
        try await a.settle()
        a.session.suspend()
        let third = try sessions.session(at: "a") { throw CancellationError() }
        #expect(third.session.state == .inactive)
        second = nil
        #expect(sessions.count == 1)
        withExtendedLifetime((first, second, third)) {}
    }

    @Test("what was committed before the last instance closed is sent, and then the session ends")
    func lastUse() async throws {
        let sessions = OpenSessions()
        let a = SessionFixture(server, script: [.fail(.unreachable)])
        var use: SessionUse? = try sessions.session(at: "a") { a.session }
        a.commit(Self.person.create())
        #expect(await a.sleep.nextPause() == .seconds(1))
        withExtendedLifetime(use) {}
        use = nil
        let states = a.session.connectionStates
        #expect(a.session.state == .active)
        a.sleep.advance(by: .seconds(1))

        for await _ in states {}
        #expect(server.head == 1)
        #expect(sessions.count == 0)
        #expect(a.session.state == .inactive)
    }

    @Test("a session that failed gives way to a new one, when nobody uses it any more")
    func failed() async throws {
        let sessions = OpenSessions()
        let a = SessionFixture(server, script: [.fail(.forbidden)])
        var use: SessionUse? = try sessions.session(at: "a") { a.session }
        a.commit(Self.person.create())
        _ = await a.nextError()
        #expect(use?.session.state == .invalid)
        var same: SessionUse? = try sessions.session(at: "a") { throw CancellationError() }
        #expect(same?.session === use?.session)
        (use, same) = (nil, nil)

        let b = SessionFixture(server, store: a.store)
        let again = try sessions.session(at: "a") { b.session }
        #expect(again.session === b.session)
        try await b.session.wait(for: .upload)
        #expect(server.head == 1)
    }
}
