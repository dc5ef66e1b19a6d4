import ChangeModel
import ChangeModelTesting
import EventModel

/// A signature that repeats the digest twice.
func signing(_ digest: Digest) -> [UInt8] { digest.bytes + digest.bytes }

/// The chain of a file that sent nothing.
let newChain = ChangeChain(head: .sample, hash: Digest.mixing)
