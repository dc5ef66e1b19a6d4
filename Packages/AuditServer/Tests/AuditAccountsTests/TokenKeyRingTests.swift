import AuditAccounts
import AuditModel
import EventModel
import EventModelTesting
import Synchronization
import Testing

/// Keys in a place that several servers read.
private final class SharedKeys: TokenKeySource {
    private struct State {
        var keys: [[UInt8]]
        var error: AuditServerError?
        var lookCount = 0
    }

    private let state: Mutex<State>

    init(_ keys: [[UInt8]]) { state = Mutex(State(keys: keys)) }

    var lookCount: Int { state.withLock { $0.lookCount } }

    func set(_ keys: [[UInt8]]) { state.withLock { $0.keys = keys } }

    func fail(_ error: AuditServerError?) { state.withLock { $0.error = error } }

    func tokenKeys() async throws -> [[UInt8]] {
        try state.withLock { state in
            state.lookCount += 1
            if let error = state.error { throw error }
            return state.keys
        }
    }
}

@Suite("Shared token keys")
struct TokenKeyRingTests {
    private static let minute: Int64 = 60_000_000

    private let clock = ManualClock()
    private let owner = Identity.uploader(EventOwner(app: "a", user: "b"))
    private let first = TokenIssuer.makeKey()
    private let second = TokenIssuer.makeKey()
    private let third = TokenIssuer.makeKey()

    @Test("servers with one source accept each other's tokens, of the key that signs and of the others")
    func sharing() async throws {
        let source = SharedKeys([first, second])
        let (one, two) = (
            try await TokenIssuer(sharing: source, clock: clock), try await TokenIssuer(sharing: source, clock: clock)
        )
        let earlier = try await TokenIssuer(key: second, clock: clock)
        let stranger = try await TokenIssuer(key: third, clock: clock)

        #expect(try await two.identity(of: one.issue(owner, for: .access), for: .access) == owner)
        #expect(try await one.identity(of: two.issue(owner, for: .refresh), for: .refresh) == owner)
        #expect(try await one.identity(of: earlier.issue(owner, for: .access), for: .access) == owner)
        let foreign = try await stranger.issue(owner, for: .access)
        await #expect(throws: AuditServerError.self) { try await one.identity(of: foreign, for: .access) }
    }

    @Test("a rotation is noticed after a minute, and the keys are not looked up more often")
    func rotation() async throws {
        let source = SharedKeys([first])
        let server = try await TokenIssuer(sharing: source, clock: clock)
        let old = try await server.issue(owner, for: .refresh)
        let new = try await TokenIssuer(key: second, clock: clock).issue(owner, for: .refresh)
        source.set([second, first])

        for _ in 1...5 {
            await #expect(throws: AuditServerError.self) { try await server.identity(of: new, for: .refresh) }
        }
        #expect(source.lookCount == 1)
        clock.advance(microseconds: Self.minute)
        #expect(try await server.identity(of: new, for: .refresh) == owner)
        #expect(try await server.identity(of: old, for: .refresh) == owner)
        #expect(source.lookCount == 2)
        source.set([third, second])
        clock.advance(microseconds: Self.minute)
        await #expect(throws: AuditServerError.self) { try await server.identity(of: old, for: .refresh) }
    }

    @Test("a source that fails makes the request fail as unavailable, and the next one looks again")
    func failure() async throws {
        let source = SharedKeys([first])
        let server = try await TokenIssuer(sharing: source, clock: clock)
        let token = try await server.issue(owner, for: .refresh)
        let error = AuditServerError.unavailable(reason: "the database is gone")
        source.fail(error)
        clock.advance(microseconds: Self.minute)

        await #expect(throws: error) { try await server.identity(of: token, for: .refresh) }
        await #expect(throws: error) { try await server.issue(owner, for: .refresh) }
        source.fail(nil)
        #expect(try await server.identity(of: token, for: .refresh) == owner)
    }

    @Test("keys of another length, and none, are refused")
    func malformed() async {
        for keys in [[], [[1, 2, 3]], [TokenIssuer.makeKey(), []]] as [[[UInt8]]] {
            await #expect(throws: AuditServerError.self) {
                try await TokenIssuer(sharing: SharedKeys(keys), clock: clock)
            }
        }
    }
}
