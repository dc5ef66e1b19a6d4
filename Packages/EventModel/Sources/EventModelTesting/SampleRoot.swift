public import EventModel

/// A stand-in for a Merkle root: as many bytes, depends on every event and on their order, and proves nothing.
///
/// The fakes compute it so that the seams can be tested without cryptography.
public enum SampleRoot {
    /// The root of no events: the hash that RFC 6962 gives the empty tree.
    public static let empty = root(
        words: (0x141c_fc98_42c4_b0e3, 0x24b9_6f99_c8f4_fb9a, 0x4c93_9b64_e441_ae27, 0x55b8_5278_1b99_95a4)
    )

    /// Returns the stand-in for the root of a tree over these events.
    ///
    /// - Complexity: O(*n*) in the bytes.
    public static func of(_ events: some Sequence<[UInt8]>) -> Digest {
        var root = empty
        for event in events {
            root = appending(event, to: root)
        }
        return root
    }

    /// Returns the stand-in after one more event.
    public static func appending(_ event: some Sequence<UInt8>, to root: Digest) -> Digest {
        var words: [UInt64] = [1, 2, 3, 4]
        for byte in root.bytes {
            mix(byte, into: &words)
        }
        for byte in event {
            mix(byte, into: &words)
        }
        return self.root(words: (words[0], words[1], words[2], words[3]))
    }

    private static func mix(_ byte: UInt8, into words: inout [UInt64]) {
        for index in words.indices {
            // FNV-1a with four different starts.
            words[index] = (words[index] ^ UInt64(byte)) &* 0x100_0000_01b3 &+ UInt64(index)
        }
    }

    private static func root(words: (UInt64, UInt64, UInt64, UInt64)) -> Digest {
        let bytes = withUnsafeBytes(
            of: (
                words.0.littleEndian, words.1.littleEndian, words.2.littleEndian, words.3.littleEndian
            )
        ) { Array($0) }
        guard let digest = Digest(bytes) else {
            preconditionFailure("Four words have the 32 bytes of a digest.")
        }
        return digest
    }
}
