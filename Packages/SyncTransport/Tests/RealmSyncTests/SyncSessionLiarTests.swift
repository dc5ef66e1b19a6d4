import ChangeModel
import ChangeModelTesting
import EventModel
import SyncTransportTesting
import Synchronization
import Testing

@testable import RealmSync

@Suite("Sessions with servers that lie", .timeLimit(.minutes(5)))
struct SyncSessionLiarTests {
    private let server = InMemoryRealmServer()
    private static let person = ObjectAddress.sample()

    /// Ends a session by a lie and returns how it says so.
    private func end(
        _ commits: Int = 1,
        _ lying: (FakeChangeTransport) -> any ChangeTransport
    ) async -> (SyncError?, SessionFixture) {
        let a = SessionFixture(server, lying: lying)
        for _ in 0..<commits { a.commit(Self.person.create()) }
        a.session.resume()
        return (await a.nextError(), a)
    }

    @Test("a server that acknowledges less than it took ends the session")
    func acknowledgesLess() async {
        let (error, a) = await end { way in
            BentTransport(way: way, sendAnswer: { SendAnswer(acknowledged: $0.acknowledged - 1, head: $0.head) })
        }

        #expect(error?.code == .clientInternalError)
        #expect(error?.message == "The server says that it has less than what it took.")
        #expect(a.session.state == .invalid)
        #expect(a.store.syncState().acknowledged == 0)
    }

    @Test("a server that has a change which was never sent ends the session before anything is noted")
    func inventsChange() async {
        let (error, a) = await end { way in
            BentTransport(
                way: way,
                bindAnswer: { answer in
                    var answer = answer
                    answer.acknowledged = 1
                    return answer
                }
            )
        }

        #expect(error?.message == "The server has a change of this file that was never sent.")
        #expect(a.store.syncState().acknowledged == 0)
    }

    @Test(
        "a server that leaves out, repeats or cuts entries ends the session, and the file has none of them",
        arguments: 0...2
    )
    func wrongEntries(_ kind: Int) async throws {
        let other = SessionFixture(server)
        let a = SessionFixture(server) { way in
            BentTransport(
                way: way,
                entriesAnswer: { answer in
                    var answer = answer
                    guard let last = answer.encoded.last else { return answer }
                    switch kind {
                    case 0: answer.encoded.removeFirst()
                    case 1: answer.encoded.append(last)
                    default: answer.encoded[0] = answer.encoded[0].dropLast()
                    }
                    return answer
                }
            )
        }
        other.session.resume()
        other.commit(Self.person.create())
        try await other.settle()
        a.session.resume()
        try await a.settle()
        a.session.suspend()
        for name in ["x", "y", "z"] as [ExactText] { other.commit(Self.person.create(["name": .string(name)])) }
        try await other.settle()
        a.session.resume()
        let error = await a.nextError()

        #expect(error?.code == .clientInternalError)
        #expect(a.store.syncState().position == 1)
    }

    @Test("a snapshot that goes round in a circle ends the session")
    func endlessSnapshot() async throws {
        let other = SessionFixture(server)
        for key in 1...6 as ClosedRange<Int64> { other.commit(ObjectAddress.sample(key).create()) }
        other.session.resume()
        try await other.settle()
        let first = Mutex<SnapshotCursor?>(nil)
        let (error, a) = await end(0) { way in
            BentTransport(
                way: way,
                limit: 1,
                page: { page in
                    guard let next = page.next, page.objects.first?.object == .sample(1) else {
                        // Behind the last page but one comes the second one again.
                        return SnapshotPage(head: page.head, objects: page.objects, next: first.withLock(\.self))
                    }
                    first.withLock { $0 = next }
                    return page
                }
            )
        }

        #expect(error?.message == "The server sends the same page of a snapshot again and again.")
        #expect(a.store.contents.objects.isEmpty)
    }

    @Test("a server that answers empty at once is asked once a second")
    func emptyAtOnce() async throws {
        let a = SessionFixture(server) { BentTransport(way: $0, wait: .zero) }
        a.session.resume()
        #expect(await a.sleep.nextPause() == .seconds(1))
    }
}
