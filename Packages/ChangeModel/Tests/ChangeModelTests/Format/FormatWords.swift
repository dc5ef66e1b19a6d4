import ChangeModel
import ChangeModelTesting
import EventModel

/// A digest that is no hash: it mixes bytes well enough for tests that compare chains.
let mixing: ChangeChain.Hash = { bytes in
    var words: [UInt64] = [1, 2, 3, 4]
    for (index, byte) in bytes.enumerated() {
        words[index % 4] = (words[index % 4] ^ UInt64(byte)) &* 0x100_0000_01B3 &+ UInt64(index)
    }
    let mixed = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (UInt64($0) * 8)) } }
    return Digest(mixed) ?? .sample
}

/// A signature that repeats the digest twice.
func signing(_ digest: Digest) -> [UInt8] { digest.bytes + digest.bytes }

/// The chain of a file that sent nothing.
let newChain = ChangeChain(head: .sample, hash: mixing)
