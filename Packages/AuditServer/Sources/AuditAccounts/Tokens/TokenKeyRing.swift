package import AuditModel
package import EventModel
import JWTKit
import Synchronization

import struct Crypto.SHA256
import struct Crypto.SymmetricKey

/// The keys that tokens are signed and checked with, at one moment.
package struct TokenKeys: Sendable {
    /// All keys by their names.
    let collection: JWTKeyCollection
    /// The name of the key that signs.
    let current: JWKIdentifier

    /// Takes over secrets, the one that signs first.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when there is none, or one has not 32 bytes.
    package init(_ secrets: [[UInt8]]) async throws(AuditServerError) {
        guard let first = secrets.first else { throw .rejected(reason: "there is no token key") }
        collection = JWTKeyCollection()
        current = Self.name(of: first)
        for secret in secrets.reversed() {
            guard secret.count == TokenIssuer.keyByteCount else {
                throw .rejected(
                    reason: "a token key has \(TokenIssuer.keyByteCount) bytes, this one has \(secret.count)"
                )
            }
            await collection.add(
                hmac: HMACKey(key: SymmetricKey(data: secret)),
                digestAlgorithm: .sha256,
                kid: Self.name(of: secret)
            )
        }
    }

    /// A name that says nothing about the key: the beginning of a hash of it.
    private static func name(of key: [UInt8]) -> JWKIdentifier {
        JWKIdentifier(
            string: Hexadecimal.text(Array(SHA256.hash(data: Array("daybook token key".utf8) + key)).prefix(8))
        )
    }
}

/// The keys of a server, looked up again from time to time where another server may rotate them.
package final class TokenKeyRing: Sendable {
    /// How long keys are used before they are looked up again, in nanoseconds: a minute.
    package static let age: UInt64 = 60_000_000_000

    private struct State {
        var keys: TokenKeys
        var looked: UInt64
    }

    private let state: Mutex<State>
    private let source: (any TokenKeySource)?
    private let clock: any EventClock

    /// Creates a ring; without a source its keys stay.
    package init(_ keys: TokenKeys, source: (any TokenKeySource)?, clock: any EventClock) {
        state = Mutex(State(keys: keys, looked: clock.now().monotonicNanoseconds))
        self.source = source
        self.clock = clock
    }

    /// Returns the keys, looked up anew when they are older than ``age``.
    ///
    /// - Throws: What the source throws; the next call looks again.
    package func keys() async throws -> TokenKeys {
        guard let source else { return state.withLock { $0.keys } }
        let now = clock.now().monotonicNanoseconds
        // One request looks, and all others go on with what is known.
        let (known, before): (TokenKeys, UInt64?) = state.withLock { state in
            guard now >= state.looked &+ Self.age else { return (state.keys, nil) }
            defer { state.looked = now }
            return (state.keys, state.looked)
        }
        guard let before else { return known }
        do {
            let keys = try await TokenKeys(source.tokenKeys())
            state.withLock { $0.keys = keys }
            return keys
        } catch {
            state.withLock { $0.looked = min($0.looked, before) }
            throw error
        }
    }
}
