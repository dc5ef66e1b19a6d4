import Crypto

/// A secret that signs tokens.
package enum TokenKey {
    /// How many bytes it has.
    package static let byteCount = 32

    /// Makes one from the system's randomness.
    package static func make() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }
}
