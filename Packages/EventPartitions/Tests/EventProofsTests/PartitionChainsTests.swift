import EventModel
import EventProofs
import Testing

@Suite("Chains of partitions")
struct PartitionChainsTests {
    private static let owner = EventOwner(app: "ward", user: "aa")

    /// The seals of one device, each behind the one before; the numbers say how many events each holds.
    private static func chain(_ counts: [Int], key: DeviceKey = DeviceKey()) throws -> [PartitionSeal] {
        var previous: Digest?
        return try counts.enumerated()
            .map { index, count in
                var frontier = MerkleFrontier()
                for number in 0..<count { frontier.append(MerkleHash.leaf([UInt8(index), UInt8(number)])) }
                let seal = try key.seal(
                    PartitionID(prefix: "events", id: ObjectId(high: 1, low: UInt32(index))),
                    of: owner,
                    over: frontier,
                    first: nil,
                    last: nil,
                    previousRoot: previous,
                    losses: []
                )
                previous = seal.root
                return seal
            }
    }

    typealias Chains = PartitionChains<PartitionID>

    /// Puts seals into chains, and says what they found before them.
    private static func add(_ seals: [PartitionSeal], to chains: inout Chains) -> [String] {
        seals.map { seal in
            switch chains.add(seal, of: owner, as: seal.partition) {
            case .first: "first"
            case .behind(let partition): "behind \(partition.id.low)"
            case .branch(let partition): "branch of \(partition.id.low)"
            case .behindMissing: "missing"
            }
        }
    }

    private static func gaps(_ seals: [PartitionSeal], _ memory: Chains.Memory) -> [UInt32] {
        var chains = Chains(remembering: memory)
        _ = add(seals, to: &chains)
        return chains.gaps.map(\.follower.id.low)
    }

    @Test(
        "a partition that is missing between others is a gap in front of the one that follows it",
        arguments: [Chains.Memory.all, .ends]
    )
    func missing(memory: Chains.Memory) throws {
        let all = try Self.chain([1, 1, 1, 1, 1])

        #expect(Self.gaps(all, memory) == [])
        #expect(Self.gaps(Array(all.dropFirst()), memory) == [1])
        #expect(Self.gaps([all[0], all[1], all[3], all[4]], memory) == [3])
        #expect(Self.gaps([all[0], all[2], all[4]], memory) == [2, 4])
        #expect(Self.gaps(Array(all.dropLast()), memory) == [], "nobody can know of the last")
    }

    @Test("the order in which partitions come makes no difference in the end", arguments: [Chains.Memory.all, .ends])
    func anyOrder(memory: Chains.Memory) throws {
        let all = try Self.chain([1, 1, 1, 1])

        #expect(Self.gaps(all.reversed(), memory) == [])
        #expect(Self.gaps([all[2], all[0], all[3], all[1]], memory) == [])
    }

    @Test("each partition is put behind the one that it follows, and the first behind none")
    func places() throws {
        var chains = Chains()

        #expect(Self.add(try Self.chain([1, 1, 1]), to: &chains) == ["first", "behind 0", "behind 1"])
    }

    @Test("a partition without events names none, so what follows it begins anew")
    func withoutEvents() throws {
        var chains = Chains()

        #expect(Self.add(try Self.chain([1, 0, 1]), to: &chains) == ["first", "behind 0", "first"])
        #expect(chains.gaps.isEmpty)
    }

    @Test("two partitions that follow the same one are a branch, when all are remembered")
    func branch() throws {
        let key = DeviceKey()
        let first = try Self.chain([1, 1], key: key)
        let other = try Self.chain([1, 2], key: key)
        var chains = Chains()
        var ends = Chains(remembering: .ends)

        #expect(Self.add(first + [other[1]], to: &chains) == ["first", "behind 0", "branch of 0"])
        #expect(chains.gaps.isEmpty)
        #expect(Self.add(first + [other[1]], to: &ends) == ["first", "behind 0", "missing"])
    }

    @Test("a branch is found, too, when the one that both follow comes between or after them")
    func lateBranch() throws {
        let key = DeviceKey()
        let first = try Self.chain([1, 1], key: key)
        let other = try Self.chain([1, 2], key: key)
        var chains = Chains()

        #expect(Self.add([first[1], first[0], other[1]], to: &chains) == ["missing", "first", "branch of 0"])
    }

    @Test("chains of other users do not stand in for a partition")
    func otherOwner() throws {
        let all = try Self.chain([1, 1, 1])
        var chains = Chains()
        _ = chains.add(all[1], of: EventOwner(app: "ward", user: "bb"), as: all[1].partition)

        #expect(Self.add([all[0], all[2]], to: &chains) == ["first", "missing"])
    }

    @Test("a gap that is settled is none any more")
    func settled() throws {
        let all = try Self.chain([1, 1, 1])
        var chains = Chains()
        _ = Self.add([all[0], all[2]], to: &chains)
        let gap = try #require(chains.gaps.first)
        #expect(gap.name == all[1].chainName(of: Self.owner))

        chains.settle(gap.name)

        #expect(chains.gaps.isEmpty)
    }

    @Test("of too many gaps the oldest are forgotten")
    func bounded() throws {
        var chains = Chains(remembering: .ends, maximumGaps: 2)

        _ = Self.add(
            try stride(from: 1, to: 9, by: 2).map { try Self.chain(Array(repeating: 1, count: 9))[$0] },
            to: &chains
        )

        #expect(chains.gaps.map(\.follower.id.low) == [5, 7])
    }
}
