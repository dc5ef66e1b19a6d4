import EventModel
import EventProofs
import Testing

/// A log that a test lets grow, and lets show other histories.
struct GrowingLog {
    static let origin: ExactText = "log.example/ward"

    let signer: EdwardsNoteSigner
    private let leaves: [Digest]
    let tree: MerkleTree

    /// A log of which all entries from a place on are others.
    init(_ name: ExactText = Self.origin, seed: UInt8 = 1, forkingAt fork: Int = .max) throws {
        signer = try EdwardsNoteSigner(
            name: name,
            algorithm: .ed25519,
            rawRepresentation: [UInt8](repeating: seed, count: 32)
        )
        leaves = (0..<200).map { MerkleHash.leaf(Array("\($0 < fork ? "entry" : "other") \($0)".utf8)) }
        tree = MerkleTree(leaves: leaves)
    }

    func signed(_ size: UInt64, origin: ExactText? = nil, by signer: EdwardsNoteSigner? = nil) throws
        -> SignedCheckpoint
    {
        let checkpoint = try Checkpoint(
            origin: origin ?? self.signer.verifierKey.name,
            size: size,
            root: tree.root(at: size)
        )
        return try SignedCheckpoint(checkpoint, signedBy: [signer ?? self.signer])
    }

    func request(_ old: UInt64, _ size: UInt64) throws -> [UInt8] {
        let proof = old <= size ? tree.consistencyProof(from: old, to: size).path : []
        return try WitnessRequest(oldSize: old, proof: proof, signed: signed(size)).bytes
    }
}
