import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting
import Testing

@testable import RealmSync

@Suite("Sessions whose waits end at the first error", .timeLimit(.minutes(5)))
struct ImpatientSessionTests {
    private let folder = TestFolder()
    private let server = InMemoryRealmServer()

    /// A file whose configuration says that the first error ends what waits.
    private func file(_ script: [FakeChangeTransport.Step]) async throws -> SessionFixture {
        let app = App(
            id: "ward",
            configuration: AppConfiguration(
                baseURL: "https://audit.example.org",
                rootDirectory: folder.path,
                client: ScriptedHTTPClient(answers: [.session(user: "62b3", access: "A0", refresh: "R0")]),
                clock: ManualClock()
            )
        )
        let user = try await app.login(credentials: .userAPIKey("K"))
        return SessionFixture(
            server,
            script: script,
            configuration: SyncConfiguration(
                user: user,
                partitionValue: "ward 7",
                cancelAsyncOpenOnNonFatalErrors: true
            )
        )
    }

    @Test("a wait ends with what the attempt met, and the session goes on", arguments: [true, false])
    func failure(isDownload: Bool) async throws {
        let a = try await file([SyncFailure](repeating: .unreachable, count: 3).map { .fail($0) })
        a.commit(ObjectAddress.sample().create())
        a.session.resume()

        let error = await #expect(throws: SyncError.self) {
            try await a.session.wait(for: isDownload ? .download : .upload)
        }

        #expect(error?.code == .connectionFailed)
        #expect(a.session.state == .active)
        let pauses = Task { while await a.sleep.nextPause() != nil { a.sleep.advance(by: .seconds(300)) } }
        for await state in a.session.connectionStates where state == .connected { break }
        pauses.cancel()
    }

    @Test("nobody waits through a pause that the server asked for")
    func busy() async throws {
        let a = try await file([.fail(.busy(retryAfterSeconds: 40))])
        a.session.resume()
        #expect(await a.sleep.nextPause() == .seconds(40))

        let error = await #expect(throws: SyncError.self) { try await a.session.wait(for: .download) }

        #expect(error?.code == .connectionFailed)
        a.sleep.advance(by: .seconds(40))
        for await state in a.session.connectionStates where state == .connected { break }
    }

    @Test("without an error a wait is as any other, and the session says what it syncs with")
    func success() async throws {
        let a = try await file([])
        a.session.resume()
        a.commit(ObjectAddress.sample().create())

        try await a.session.wait(for: .upload)
        try await a.session.wait(for: .download)

        #expect(server.head == 1)
        #expect(a.session.configuration()?.cancelAsyncOpenOnNonFatalErrors == true)
        #expect(a.session.configuration()?.partitionValue.typedText == "s_ward 7")
    }
}
