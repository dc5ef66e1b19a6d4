import EventModel
import EventProofs
import Testing

@Suite("PartitionSeal")
struct PartitionSealTests {
    static let partition = PartitionID(prefix: "ward", id: ObjectId("00000000000000000000002a"))
    static let losses = [
        LossEntry(reason: .quota, count: 3, noticed: EventInstant(microseconds: 5)),
        LossEntry(reason: .tooLarge, count: 1, noticed: EventInstant(microseconds: 6)),
    ]

    static func frontier(_ count: Int) -> MerkleFrontier {
        var frontier = MerkleFrontier()
        for leaf in MerkleTreeTests.leaves(count) { frontier.append(leaf) }
        return frontier
    }

    static let owner = EventOwner(app: "ward-app", user: "aa")

    static func sealed(by key: DeviceKey) throws -> PartitionSeal {
        try key.seal(
            partition,
            of: owner,
            number: 4,
            over: frontier(5),
            first: EventInstant(microseconds: 1),
            last: EventInstant(microseconds: 2),
            previousRoot: MerkleHash.leaf([1]),
            losses: losses,
            ledgerPart: 1,
            isLedgerContinued: true
        )
    }

    /// The same seal with another key and signature, about which nobody was asked.
    static func exchanging(_ publicKey: [UInt8], _ signature: [UInt8], of seal: PartitionSeal) -> PartitionSeal {
        PartitionSeal(
            partition: seal.partition,
            owner: seal.owner,
            number: seal.number,
            count: seal.count,
            root: seal.root,
            first: seal.first,
            last: seal.last,
            previousRoot: seal.previousRoot,
            losses: seal.losses,
            ledgerPart: seal.ledgerPart,
            isLedgerContinued: seal.isLedgerContinued,
            publicKey: publicKey,
            signature: signature
        )
    }

    @Test("a fresh seal verifies over the events that it was made for")
    func verifies() throws {
        let key = DeviceKey()

        let seal = try Self.sealed(by: key)

        try seal.verify(over: Self.frontier(5))
        #expect(seal.publicKey == key.publicKey)
        #expect(seal.signature.count == 64)
    }

    @Test("the canonical bytes have the published layout")
    func layout() throws {
        let seal = PartitionSeal(
            partition: Self.partition,
            owner: EventOwner(app: "w", user: "aa"),
            number: 3,
            count: 1,
            root: MerkleHash.empty,
            first: EventInstant(microseconds: 258),
            last: nil,
            previousRoot: nil,
            losses: [],
            ledgerPart: 2,
            isLedgerContinued: true,
            publicKey: [0xAA, 0xBB],
            signature: [1]
        )

        let name = Hexadecimal.text(Array("ward-00000000000000000000002a".utf8))
        #expect(
            Hexadecimal.text(seal.canonicalBytes)
                == "4441595345414c32" + "01000000" + "77" + "02000000" + "6161" + "1d000000" + name
                + "010300000000000000" + "0100000000000000" + MerkleHash.empty.hex + "010201000000000000" + "00" + "00"
                + "02000000" + "01" + "00000000" + "02000000" + "aabb"
        )
    }

    @Test("the canonical bytes of a seal of an earlier version have theirs")
    func earlierLayout() throws {
        let seal = PartitionSeal(
            partition: Self.partition,
            count: 1,
            root: MerkleHash.empty,
            first: EventInstant(microseconds: 258),
            last: nil,
            previousRoot: nil,
            losses: [LossEntry(reason: .quota, count: 3, noticed: EventInstant(microseconds: -1))],
            publicKey: [0xAA, 0xBB],
            signature: [1]
        )

        let name = Hexadecimal.text(Array("ward-00000000000000000000002a".utf8))
        #expect(
            Hexadecimal.text(seal.canonicalBytes)
                == "4441595345414c31" + "1d000000" + name + "0100000000000000" + MerkleHash.empty.hex
                + "010201000000000000" + "00" + "00" + "01000000" + "05000000" + "71756f7461" + "0300000000000000"
                + "ffffffffffffffff" + "0000000000" + "02000000" + "aabb"
        )
    }

    @Test("the canonical bytes of a loss name all that is known of it")
    func layoutOfLoss() throws {
        let loss = LossEntry(
            reason: .retention,
            count: 2,
            noticed: EventInstant(microseconds: 3),
            first: EventInstant(microseconds: 1),
            last: EventInstant(microseconds: 2),
            partition: Self.partition,
            sequences: 5...6,
            root: MerkleHash.empty
        )
        let seal = PartitionSeal(
            partition: Self.partition,
            count: 0,
            root: MerkleHash.empty,
            first: nil,
            last: nil,
            previousRoot: nil,
            losses: [loss],
            publicKey: [],
            signature: []
        )

        let name = "1d000000" + Hexadecimal.text(Array("ward-00000000000000000000002a".utf8))
        let bytes = Hexadecimal.text(seal.canonicalBytes)
        #expect(
            bytes.hasSuffix(
                "01000000" + "09000000" + Hexadecimal.text(Array("retention".utf8)) + "0200000000000000"
                    + "0300000000000000" + "010100000000000000" + "010200000000000000" + "01" + name
                    + "0105000000000000000600000000000000" + "01" + MerkleHash.empty.hex + "00000000"
            )
        )
    }

    @Test("a change of any field breaks the signature")
    func everyFieldCounts() throws {
        let seal = try Self.sealed(by: DeviceKey())
        func changed(
            partition: PartitionID? = nil,
            owner: EventOwner = Self.owner,
            number: UInt64? = 4,
            count: UInt64? = nil,
            root: Digest? = nil,
            first: EventInstant? = EventInstant(microseconds: 1),
            last: EventInstant? = EventInstant(microseconds: 2),
            previousRoot: Digest? = MerkleHash.leaf([1]),
            losses: [LossEntry]? = nil,
            ledgerPart: UInt32 = 1,
            isLedgerContinued: Bool = true,
            publicKey: [UInt8]? = nil,
            signature: [UInt8]? = nil
        ) -> PartitionSeal {
            PartitionSeal(
                partition: partition ?? seal.partition,
                owner: owner,
                number: number,
                count: count ?? seal.count,
                root: root ?? seal.root,
                first: first,
                last: last,
                previousRoot: previousRoot,
                losses: losses ?? seal.losses,
                ledgerPart: ledgerPart,
                isLedgerContinued: isLedgerContinued,
                publicKey: publicKey ?? seal.publicKey,
                signature: signature ?? seal.signature
            )
        }
        let forgeries = [
            changed(partition: PartitionID(prefix: "xard", id: Self.partition.id)),
            changed(owner: EventOwner(app: "ward-app", user: "bb")),
            changed(owner: EventOwner(app: "ward-ap", user: "paa")),
            changed(number: 5),
            changed(number: nil),
            changed(ledgerPart: 0),
            changed(isLedgerContinued: false),
            changed(count: 4),
            changed(root: MerkleHash.empty),
            changed(first: nil),
            changed(last: EventInstant(microseconds: 3)),
            changed(previousRoot: nil),
            changed(losses: [Self.losses[0]]),
            changed(publicKey: DeviceKey().publicKey),
            changed(publicKey: [1]),
            changed(signature: []),
        ]

        try changed().verifySignature()
        for forgery in forgeries {
            #expect(throws: ProofError.invalidSignature(partition: forgery.partition)) {
                try forgery.verifySignature()
            }
        }
    }

    @Test("a seal does not verify over fewer or other events")
    func otherEvents() throws {
        let seal = try Self.sealed(by: DeviceKey())
        var others = Self.frontier(4)
        others.append(MerkleHash.leaf([0]))

        #expect(throws: ProofError.countMismatch(partition: Self.partition, sealed: 5, found: 4)) {
            try seal.verify(over: Self.frontier(4))
        }
        #expect(throws: ProofError.rootMismatch(partition: Self.partition, sealed: seal.root, found: others.root)) {
            try seal.verify(over: others)
        }
    }
}
