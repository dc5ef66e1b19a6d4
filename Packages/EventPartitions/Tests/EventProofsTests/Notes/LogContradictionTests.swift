import EventModel
import EventModelTesting
import EventProofs
import Testing

import enum Crypto.Curve25519

@Suite("What a log signed and contradicts itself")
struct LogContradictionTests {
    private let signer: EdwardsNoteSigner
    private let server = Curve25519.Signing.PrivateKey()
    private let device = DeviceKey()

    init() throws { signer = try NoteSample().log }

    private var policy: WitnessPolicy { get throws { try WitnessPolicy(logKeys: [signer.verifierKey]) } }
    private var serverKey: [UInt8] { Array(server.publicKey.rawRepresentation) }

    private func signed(_ tree: MerkleTree, _ count: UInt64? = nil) throws -> SignedCheckpoint {
        let size = count ?? tree.count
        let checkpoint = try Checkpoint(origin: NoteSample.origin, size: size, root: tree.root(at: size))
        return try SignedCheckpoint(checkpoint, signedBy: [signer])
    }

    private func tree(_ count: Int, changing place: Int? = nil) -> MerkleTree {
        MerkleTree(leaves: (0..<count).map { MerkleHash.leaf([UInt8(truncatingIfNeeded: $0), $0 == place ? 1 : 0]) })
    }

    private func fork(_ kept: Int, _ newest: Int, changing place: Int?) throws -> LogContradiction {
        let (old, new) = (tree(kept), tree(newest, changing: place))
        return .fork(
            smaller: try signed(old),
            larger: try signed(new),
            root: new.root(at: UInt64(kept)),
            path: new.consistencyProof(from: UInt64(kept), to: UInt64(newest)).path
        )
    }

    private func partition(_ number: UInt32) -> PartitionID {
        PartitionID(prefix: "e", id: ObjectId(high: 1, low: number))
    }

    private func receipt(_ number: UInt32, isSealed: Bool = true) throws -> StorageReceipt {
        func receipt(_ signature: [UInt8]) -> StorageReceipt {
            StorageReceipt(
                app: "ward",
                user: "u",
                partition: partition(number),
                durableThrough: 0,
                root: MerkleHash.empty,
                isSealed: isSealed,
                issued: NoteSample.time,
                publicKey: serverKey,
                signature: signature
            )
        }
        return receipt(Array(try server.signature(for: receipt([]).canonicalBytes)))
    }

    private func entry(_ number: UInt32, user: String = "u") throws -> PartitionLogEntry {
        let seal = try device.seal(
            partition(number),
            of: EventOwner(app: "ward", user: user),
            over: MerkleFrontier(),
            first: nil,
            last: nil,
            previousRoot: nil,
            losses: []
        )
        return PartitionLogEntry(index: 0, app: "ward", user: user, received: NoteSample.time, seal: seal)
    }

    private func replacement(
        _ receipt: StorageReceipt,
        by entry: PartitionLogEntry,
        seal: Digest? = nil
    ) throws -> LogContradiction {
        let tree = MerkleTree(leaves: [entry.leaf, MerkleHash.leaf([1])])
        let proof = try LogProof(tree.inclusionProof(of: 0, in: 2), in: signed(tree))
        return .replacement(receipt: receipt, seal: seal, entry: entry, proof: proof)
    }

    private func expectProven(_ contradiction: LogContradiction) throws {
        let read = try LogContradiction(contradiction.bytes())
        #expect(read == contradiction)
        try read.verify(by: policy, serverKeys: [serverKey])
    }

    private func expectUnproven(_ contradiction: LogContradiction, _ reason: String) throws {
        let policy = try policy
        #expect(throws: ProofError.unprovenContradiction(reason: reason)) {
            try contradiction.verify(by: policy, serverKeys: [serverKey])
        }
    }

    @Test("a fork is proven from the bytes of its file, whatever the two sizes are")
    func forks() throws {
        for newest in [2, 3, 8, 9, 300] {
            for kept in [1, 2, 7, 8, 256] where kept <= newest {
                try expectProven(fork(kept, newest, changing: 0))
                try expectProven(fork(kept, newest, changing: kept - 1))
            }
        }
    }

    @Test("a log that only grew is no contradiction, and neither are hashes of another tree")
    func noFork() throws {
        try expectUnproven(
            fork(5, 9, changing: nil),
            "the smaller checkpoint's tree is the beginning of the larger one's"
        )
        try expectUnproven(
            fork(5, 9, changing: 7),
            "the smaller checkpoint's tree is the beginning of the larger one's"
        )
        try expectUnproven(fork(5, 5, changing: nil), "its checkpoints have the same root")
        let (old, new) = (tree(5), tree(9))
        try expectUnproven(
            .fork(smaller: try signed(old), larger: try signed(new), root: MerkleHash.empty, path: []),
            "its hashes are not those of the larger checkpoint's tree"
        )
        try expectUnproven(
            .fork(smaller: try signed(new), larger: try signed(old), root: MerkleHash.empty, path: []),
            "its checkpoints are in the wrong order"
        )
    }

    @Test("no change of any byte of a fork's file proves anything")
    func everyByte() throws {
        let bytes = try fork(5, 9, changing: 2).bytes()
        let policy = try policy
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(throws: ProofError.self, "byte \(place)") {
                try LogContradiction(changed).verify(by: policy, serverKeys: [])
            }
            #expect(throws: ProofError.self, "cut off at \(place)") { try LogContradiction(Array(bytes[..<place])) }
        }
        #expect(throws: ProofError.malformedContradiction(reason: "there is more behind its last part")) {
            try LogContradiction(bytes + [0x0A])
        }
    }

    @Test("a checkpoint of another key accuses nobody")
    func foreignKey() throws {
        let contradiction = try fork(5, 9, changing: 2)
        let stranger = try EdwardsNoteSigner(name: NoteSample.origin, algorithm: .ed25519)
        let other = try WitnessPolicy(logKeys: [stranger.verifierKey])

        #expect(throws: ProofError.unsignedCheckpoint(origin: NoteSample.origin.string)) {
            try contradiction.verify(by: other, serverKeys: [])
        }
    }

    @Test("an entry of another owner or seal than the receipt's contradicts it, and one of the same does not")
    func replacements() throws {
        let (honest, other) = (try entry(1), try entry(1, user: "v"))
        let known = LogContradiction.sealHash(of: honest.seal)
        #expect(honest.isPromised(by: try receipt(1), seal: known))
        #expect(try !entry(1).isPromised(by: receipt(1), seal: LogContradiction.sealHash(of: other.seal)))

        try expectProven(replacement(receipt(1), by: other))
        try expectProven(replacement(receipt(1), by: honest, seal: LogContradiction.sealHash(of: other.seal)))
        try expectUnproven(replacement(receipt(1), by: honest), "the entry says what the receipt says")
        try expectUnproven(replacement(receipt(1), by: honest, seal: known), "the entry says what the receipt says")
        try expectUnproven(
            replacement(receipt(2), by: other),
            "the entry is of another partition than the receipt"
        )
        try expectUnproven(
            replacement(receipt(1, isSealed: false), by: other),
            "the receipt is not of a whole partition"
        )
    }

    @Test("an omission holds what was promised: the receipt, signed by the server, and a checkpoint of its log")
    func omissions() throws {
        let contradiction = LogContradiction.omission(receipt: try receipt(1), signed: try signed(tree(4)))

        try expectProven(contradiction)
        let policy = try policy
        #expect(
            throws: ProofError.unprovenContradiction(
                reason: "the receipt was signed with another key than the server's"
            )
        ) {
            try contradiction.verify(by: policy, serverKeys: [])
        }
    }

    @Test("nothing traps, whatever is read")
    func noise() throws {
        let seed = UInt64.random(in: .min ... .max)
        var dice = SeededGenerator(seed: seed)
        let originals = try [
            fork(5, 9, changing: 2).bytes(), replacement(receipt(1), by: entry(1)).bytes(),
            LogContradiction.omission(receipt: receipt(1), signed: signed(tree(4))).bytes(),
        ]
        for _ in 0..<1_000 {
            var bytes = originals[dice.below(3)]
            for _ in 0...dice.below(4) {
                let place = dice.below(bytes.count)
                if dice.once(in: 2) {
                    bytes[place] = UInt8(truncatingIfNeeded: dice.next())
                } else {
                    bytes.removeSubrange(place..<min(bytes.count, place + dice.below(40)))
                }
            }
            _ = try? LogContradiction(bytes)
        }
    }
}
