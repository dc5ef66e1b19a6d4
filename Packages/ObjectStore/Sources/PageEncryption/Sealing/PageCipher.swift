import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Seals and opens pages with AES-256-GCM; used on one thread at a time.
///
/// What is sealed lies as nonce, ciphertext and tag, 28 bytes more than before. The nonces of one cipher begin at a random number of 96
/// bits and count up. Two ciphers of one file would have to begin within the count of pages of each other to use a nonce twice: for a
/// million openings that seal 16 million pages each the chance is 2⁻³², where nonces that are drawn one by one had 2⁻⁹.
struct PageCipher {
    /// How many bytes the nonce takes.
    static let nonceCount = 12
    /// How many bytes the tag takes.
    static let tagCount = 16
    /// How many bytes sealing adds.
    static let overhead = nonceCount + tagCount

    private let key: SymmetricKey
    private var low: UInt64
    private var high: UInt32

    /// Creates a cipher with a derived key of 32 bytes.
    init(key: SymmetricKey) {
        self.key = key
        // LIVE: only the system's generator is fit for nonces.
        var generator = SystemRandomNumberGenerator()
        low = generator.next()
        high = UInt32(truncatingIfNeeded: generator.next())
    }

    /// Seals bytes.
    ///
    /// - Parameters:
    ///   - bytes: What is sealed.
    ///   - context: What it belongs to, which is not stored here but must be the same for opening.
    ///   - place: Where 28 bytes more than these are written.
    /// - Returns: Whether the cipher did it.
    mutating func seal(
        _ bytes: UnsafeRawBufferPointer,
        _ context: UnsafeRawBufferPointer,
        to place: UnsafeMutableRawPointer
    ) -> Bool {
        low &+= 1
        if low == 0 { high &+= 1 }
        place.storeBytes(of: low, as: UInt64.self)
        place.storeBytes(of: high, toByteOffset: 8, as: UInt32.self)
        do {
            let nonce = try AES.GCM.Nonce(data: UnsafeRawBufferPointer(start: place, count: Self.nonceCount))
            let box = try AES.GCM.seal(bytes, using: key, nonce: nonce, authenticating: context)
            let text = UnsafeMutableRawBufferPointer(start: place + Self.nonceCount, count: bytes.count)
            let tag = UnsafeMutableRawBufferPointer(start: place + Self.nonceCount + bytes.count, count: Self.tagCount)
            return box.ciphertext.copyBytes(to: text) == bytes.count && box.tag.copyBytes(to: tag) == Self.tagCount
        } catch {
            return false
        }
    }

    /// Opens what was sealed.
    ///
    /// - Parameters:
    ///   - sealed: The nonce, the ciphertext and the tag.
    ///   - context: What it must belong to.
    ///   - place: Where 28 bytes less are written.
    /// - Returns: Whether it was sealed with this key for this context, and not changed since; if not, nothing is written.
    func open(
        _ sealed: UnsafeRawBufferPointer,
        _ context: UnsafeRawBufferPointer,
        to place: UnsafeMutableRawPointer
    ) -> Bool {
        guard let start = sealed.baseAddress else { return false }
        // Not copied: it is not used longer than this call.
        let combined = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
            count: sealed.count,
            deallocator: .none
        )
        do {
            let bytes = try AES.GCM.open(AES.GCM.SealedBox(combined: combined), using: key, authenticating: context)
            return bytes.copyBytes(to: UnsafeMutableRawBufferPointer(start: place, count: bytes.count)) == bytes.count
        } catch {
            return false
        }
    }
}
