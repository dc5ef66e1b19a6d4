import Crypto
package import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The payloads of a stretch, each encrypted under a key of its own, so that destroying a key erases one event.
///
/// Leaf hashes are over the plain events: roots, seals and proofs know nothing of keys, and outlive them. AES-128-GCM; a key
/// encrypts one payload and no other, so that its nonce may be constant.
package struct SealedPayloads: Sendable {
    /// How many bytes a key has.
    package static let keyByteCount = 16
    /// How many bytes a sealed payload is longer than the plain one.
    private static let tagByteCount = 16

    /// The keys in the order of the events; also of those without a payload, so that a key is found by its place.
    package let keys: [UInt8]
    /// The sealed payloads; nil of events that have none.
    package let payloads: [[UInt8]?]

    /// Draws keys and encrypts the payloads of events.
    ///
    /// - Complexity: O(*n*) in the bytes of the payloads.
    /// - Throws: Whatever the system's cryptography throws when it cannot encrypt.
    package init(_ events: [AuditEvent]) throws {
        guard !events.isEmpty else {
            (keys, payloads) = ([], [])
            return
        }
        let nonce = try Self.nonce()
        keys = try Self.keys(events.count, nonce)
        var payloads: [[UInt8]?] = []
        payloads.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            guard let data = event.data else {
                payloads.append(nil)
                continue
            }
            let start = index * Self.keyByteCount
            let key = SymmetricKey(data: keys[start..<start + Self.keyByteCount])
            let box = try AES.GCM.seal(data, using: key, nonce: nonce)
            var sealed: [UInt8] = []
            sealed.reserveCapacity(data.count + Self.tagByteCount)
            sealed += box.ciphertext
            sealed += box.tag
            payloads.append(sealed)
        }
        self.payloads = payloads
    }

    /// Draws keys: the stream of a cipher under a key that is forgotten at once, as NIST SP 800-90A makes random bits.
    ///
    /// Asking the system takes a call for each eight bytes, which was a twentieth of the time of an upload.
    private static func keys(_ count: Int, _ nonce: AES.GCM.Nonce) throws -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: count * keyByteCount)
        return Array(try AES.GCM.seal(zeros, using: SymmetricKey(size: .bits256), nonce: nonce).ciphertext)
    }

    /// Returns the keys of some of the events.
    package func keys(_ range: Range<Int>) -> ArraySlice<UInt8> {
        keys[range.lowerBound * Self.keyByteCount..<range.upperBound * Self.keyByteCount]
    }

    /// Decrypts a payload; nil when its key was destroyed or is another one, or a byte was changed.
    package static func open(_ sealed: [UInt8], key: [UInt8]?) -> [UInt8]? {
        guard let key, isKey(key), sealed.count >= tagByteCount else { return nil }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: nonce(),
                ciphertext: sealed.dropLast(tagByteCount),
                tag: sealed.suffix(tagByteCount)
            )
            return Array(try AES.GCM.open(box, using: SymmetricKey(data: key)))
        } catch {
            // Why it does not open tells nobody anything: the key is another, or a byte is.
            return nil
        }
    }

    /// Returns whether bytes are a key that was not destroyed.
    private static func isKey(_ key: [UInt8]) -> Bool {
        key.count == keyByteCount && key.contains { $0 != 0 }
    }

    /// Overwrites the keys of events with zeros.
    ///
    /// - Parameters:
    ///   - index: The place of the event in the stretch; one behind its end changes nothing.
    ///   - keys: The keys of a stretch.
    package static func destroy(_ index: Int, in keys: inout [UInt8]) {
        let start = index * keyByteCount
        guard index >= 0, start + keyByteCount <= keys.count else { return }
        for byte in start..<start + keyByteCount { keys[byte] = 0 }
    }

    private static func nonce() throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12))
    }
}
