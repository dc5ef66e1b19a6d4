import EventModel
import EventModelTesting
import EventProofs
import Synchronization
import Testing

@testable import AuditModel

@Suite("How long a key signs that servers share")
struct SigningTermTests {
    private let clock = ManualClock()
    private let key: SigningKey

    init() throws { key = try SigningKey(SigningKey.makeKey()) }

    /// Runs a test with a term, and what a database answers; nil is one that does not.
    private func term(_ body: (SigningTerm, Answers) async throws -> Void) async throws {
        let answers = Answers(key.publicKey)
        let term = SigningTerm(of: key.publicKey, clock: clock) {
            guard let present = answers.key.withLock({ $0 }) else {
                throw AuditServerError.unavailable(reason: "the database is away")
            }
            return present
        }
        try await body(term, answers)
    }

    private final class Answers: Sendable {
        let key: Mutex<[UInt8]?>
        init(_ key: [UInt8]) { self.key = Mutex(key) }
    }

    @Test("it signs for 25 seconds behind each look, and less than a key waits that takes its place")
    func lease() async throws {
        try await term { term, answers in
            let limited = key.limited(to: term)
            let log = try limited.checkpointSigner(origin: "log.example/ward")
            func signs() -> Bool {
                let made = Result { try (limited.sign([1]), limited.exportKey.sign([1]), log.signature(for: [1])) }
                let refused = [
                    Result { try limited.sign([1]) }, Result { try limited.exportKey.sign([1]) },
                    Result { try log.signature(for: [1]) },
                ]
                .allSatisfy { (try? $0.get()) == nil }
                let isMade = (try? made.get()) != nil
                #expect(isMade != refused)
                return isMade
            }
            #expect(!signs())
            try await term.look()
            #expect(signs())
            #expect(term.concern == nil)
            clock.advance(microseconds: 24_999_999)
            #expect(signs())
            clock.advance(microseconds: 1)
            #expect(!signs())
            #expect(term.concern?.contains("whether the key that servers share is present still") == true)

            answers.key.withLock { $0 = nil }
            await #expect(throws: AuditServerError.self) { try await term.look() }
            #expect(!signs())
            answers.key.withLock { $0 = key.publicKey }
            try await term.look()
            #expect(signs())
        }
        #expect(SigningTerm.length < SigningTerm.handover)
        #expect(SigningTerm.pause * 2 < SigningTerm.length)
    }

    @Test("a look counts from its beginning, as its answer may be old")
    func slowLook() async throws {
        let clock = clock
        let publicKey = key.publicKey
        let term = SigningTerm(of: publicKey, clock: clock) {
            clock.advance(microseconds: 20_000_000)
            return publicKey
        }
        try await term.look()
        #expect(term.concern == nil)
        clock.advance(microseconds: 5_000_000)
        #expect(term.concern != nil)
    }

    @Test("once another key was seen it is over for good, also when the old one is put back")
    func over() async throws {
        try await term { term, answers in
            try await term.look()
            answers.key.withLock { $0 = [1] }
            let error = await #expect(throws: AuditServerError.self) { try await term.look() }
            #expect(error?.description.contains("restart this one") == true)
            answers.key.withLock { $0 = key.publicKey }
            await #expect(throws: AuditServerError.self) { try await term.look() }
            #expect(throws: AuditServerError.self) { try key.limited(to: term).sign([1]) }
            #expect(term.concern?.contains("restart this one") == true)
            // The key of another server, without a bound, is not touched by it.
            #expect(throws: Never.self) { try key.sign([1]) }
        }
    }
}
