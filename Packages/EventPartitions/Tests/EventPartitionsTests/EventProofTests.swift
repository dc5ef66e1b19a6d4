import EventModel
import EventPartitions
import EventProofs
import Foundation
import Testing

@Suite("Proofs of stored events")
struct EventProofTests {
    let fixture: FilesFixture
    let path: String

    init() throws {
        fixture = try FilesFixture()
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<7))
        try files.close()
        path = try #require(try fixture.paths().first)
    }

    private func proof(_ sequence: UInt64 = 5) throws -> EventProof {
        try PartitionFiles.proof(of: sequence, in: path)
    }

    @Test("each event is proven under the device's seal, and the proof survives JSON", arguments: 1...UInt64(7))
    func everyEvent(_ sequence: UInt64) throws {
        let made = try proof(sequence)
        let read = try JSONDecoder().decode(EventProof.self, from: JSONEncoder().encode(made))

        try read.verify(publicKey: FilesFixture.key.publicKey)
        #expect(read == made)
        #expect(try read.decodedEvent() == .sample(Int(sequence) - 1))
        #expect(read.seal?.count == 7)
    }

    @Test("the JSON has what another implementation needs, in hexadecimal digits")
    func json() throws {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(proof())) as? [String: Any]
        let inclusion = object?["inclusion"] as? [String: Any]

        #expect(
            Set(object.map { Array($0.keys) } ?? []) == ["partition", "sequence", "event", "inclusion", "root", "seal"]
        )
        #expect(object?["event"] as? String == Hexadecimal.text(AuditEvent.sample(4).encoded))
        #expect(inclusion?["index"] as? Int == 4)
        #expect(inclusion?["count"] as? Int == 7)
        #expect((inclusion?["path"] as? [String])?.allSatisfy { $0.count == 64 } == true)
    }

    @Test("a proof of anything else is refused")
    func forgeries() throws {
        let proof = try proof()
        func forged(
            partition: PartitionID? = nil,
            sequence: UInt64? = nil,
            event: [UInt8]? = nil,
            inclusion: InclusionProof? = nil,
            root: Digest? = nil,
            seal: PartitionSeal?? = nil
        ) -> EventProof {
            EventProof(
                partition: partition ?? proof.partition,
                sequence: sequence ?? proof.sequence,
                event: event ?? proof.event,
                inclusion: inclusion ?? proof.inclusion,
                root: root ?? proof.root,
                seal: seal ?? proof.seal
            )
        }
        let path = proof.inclusion.path
        let otherPartition = PartitionID(prefix: "other", id: proof.partition.id)
        let foreign = try DeviceKey()
            .seal(
                proof.partition,
                of: EventOwner(app: "a", user: "u"),
                over: MerkleFrontier(),
                first: nil,
                last: nil,
                previousRoot: nil,
                losses: []
            )

        let forgeries = [
            forged(partition: otherPartition), forged(sequence: 4), forged(sequence: 0),
            forged(event: AuditEvent.sample(5).encoded), forged(root: MerkleHash.empty), forged(seal: foreign),
            forged(inclusion: InclusionProof(index: 3, count: 7, path: path)),
            forged(inclusion: InclusionProof(index: 4, count: 8, path: path)),
            forged(inclusion: InclusionProof(index: 4, count: 7, path: Array(path.dropLast()))),
            forged(inclusion: InclusionProof(index: 4, count: 7, path: path.reversed())),
        ]
        for (number, forgery) in forgeries.enumerated() {
            #expect(throws: ProofError.self, "forgery \(number)") { try forgery.verify() }
        }
        #expect(throws: ProofError.unknownKey(partition: proof.partition)) {
            try proof.verify(publicKey: DeviceKey().publicKey)
        }
        #expect(throws: ProofError.unsealed(partition: proof.partition)) {
            try forged(seal: .some(nil)).verify(publicKey: FilesFixture.key.publicKey)
        }
        try forged(seal: .some(nil)).verify()
    }

    @Test("a file that is still written to proves its events by the root alone")
    func openFile() throws {
        let fixture = try FilesFixture()
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<3))
        let path = try #require(try fixture.paths().first)

        let proof = try PartitionFiles.proof(of: 2, in: path)

        #expect(proof.seal == nil)
        try proof.verify()
        let partition = try #require(try files.partitions().first?.partition)
        #expect(try files.read(partition, from: 1, maximumBytes: .max).root == proof.root)
    }

    @Test("there is no proof of an event that is not there")
    func absent() throws {
        for sequence: UInt64 in [0, 8, .max] {
            #expect(throws: PartitionError.self) { try proof(sequence) }
        }
    }

    @Test("a damaged file proves nothing")
    func damaged() throws {
        let file = try POSIXFileSystem().open(path, .write)
        _ = try [UInt8(0xFF)].withUnsafeBytes { try file.write($0, at: 300) }

        #expect(throws: PartitionError.self) { try proof() }
        #expect(throws: PartitionError.self) { try PartitionFiles.growthProof(from: 1, in: path) }
    }

    @Test("every beginning of a partition is proven to be one")
    func growth() throws {
        let tree = MerkleTree(leaves: (0..<7).map { MerkleHash.leaf(AuditEvent.sample($0).encoded) })
        for second in 0...UInt64(7) {
            for first in 0...second {
                let proof = try PartitionFiles.growthProof(from: first, to: second, in: path)
                let read = try JSONDecoder().decode(GrowthProof.self, from: JSONEncoder().encode(proof))

                try read.verify(earlier: tree.root(at: first), later: tree.root(at: second))
                #expect(read == proof)
            }
        }
        #expect(try PartitionFiles.growthProof(from: 3, in: path).secondRoot == tree.root)
    }

    @Test("growth that did not happen is refused")
    func noGrowth() throws {
        let proof = try PartitionFiles.growthProof(from: 3, in: path)
        let other = MerkleHash.leaf([1])

        #expect(throws: ProofError.self) { try proof.verify(earlier: other) }
        #expect(throws: ProofError.self) { try proof.verify(later: other) }
        let forged = GrowthProof(
            partition: proof.partition,
            firstRoot: other,
            secondRoot: proof.secondRoot,
            consistency: proof.consistency
        )
        #expect(throws: ProofError.inconsistent(partition: proof.partition, first: 3, second: 7)) {
            try forged.verify()
        }
        #expect(throws: PartitionError.self) { try PartitionFiles.growthProof(from: 5, to: 4, in: path) }
        #expect(throws: PartitionError.self) { try PartitionFiles.growthProof(from: 5, to: 8, in: path) }
    }
}
