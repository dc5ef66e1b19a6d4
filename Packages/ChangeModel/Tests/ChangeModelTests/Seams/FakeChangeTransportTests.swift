import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Fake way to a server")
struct FakeChangeTransportTests {
    private let server = InMemoryRealmServer()
    private let request = BindRequest(schemaHash: .sample, deviceKey: [])

    /// A batch of the first change of a file.
    private func batch(_ file: UInt32 = 1) throws -> [UInt8] {
        let changes = [Change.sample(operations: [person.create()])]
        return try SignedBatch(ChangeBatch(file: file, changes: changes), after: newChain, signing: signing).bytes
    }

    @Test("a failing call does not arrive, and one whose answer is lost does")
    func lostAnswer() async throws {
        let transport = FakeChangeTransport(server, script: [.honest, .fail(.busy(retryAfterSeconds: 3)), .loseAnswer])
        _ = try await transport.bind(request)

        await #expect(throws: ChangeModelError.failed(.busy(retryAfterSeconds: 3))) {
            try await transport.send(batch())
        }
        #expect(server.head == 0)
        await #expect(throws: ChangeModelError.failed(.unreachable)) { try await transport.send(batch()) }
        #expect(server.head == 1)
        #expect(try await transport.send(batch()).acknowledged == 1)
        #expect(transport.calls.count == 4)
    }

    @Test("a call that arrives twice is taken once, and half a batch is not taken")
    func twiceAndCut() async throws {
        let transport = FakeChangeTransport(server, script: [.honest, .cut, .twice])
        _ = try await transport.bind(request)

        await #expect(throws: ChangeModelError.failed(.unreachable)) { try await transport.send(batch()) }
        #expect(server.head == 0)
        #expect(try await transport.send(batch()).head == 1)
    }

    @Test("a reader that waits is woken by a change of somebody else")
    func waiting() async throws {
        let transport = FakeChangeTransport(server)
        _ = try await transport.bind(request)

        async let answer = transport.entries(after: 0, history: .sample(1), wait: .seconds(50), limit: 1 << 20)
        _ = try await FakeChangeTransport(server).send(batch())

        #expect(try await answer.entries.map(\.number) == [1])
    }

    @Test("a delayed call goes on when it is released")
    func delayed() async throws {
        let transport = FakeChangeTransport(server, script: [.delay])

        async let answer = transport.bind(request)
        for await _ in transport.arrivals { break }
        transport.release()
        let binding = try await answer.binding

        #expect(binding.file == 1)
    }

    @Test("a file below the floor is told, and a restored realm has another history")
    func floor() async throws {
        let transport = FakeChangeTransport(server)
        _ = try await transport.bind(request)
        _ = try await transport.send(batch())
        server.raiseFloor(to: 1)

        await #expect(throws: ChangeModelError.failed(.tooOld(floor: 1))) {
            try await transport.entries(after: 0, history: .sample(1), wait: .zero, limit: 1)
        }
        server.restore(as: .sample(2))
        await #expect(throws: ChangeModelError.failed(.historyChanged)) {
            try await transport.objects(after: nil, history: .sample(1), limit: 1)
        }
    }
}
