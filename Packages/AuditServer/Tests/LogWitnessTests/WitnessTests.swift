import EventModel
import EventModelTesting
import EventProofs
import LogWitness
import Testing

@Suite("Witness")
struct WitnessTests {
    private let log: GrowingLog
    private var witness = Witness()
    private let time = EventInstant(microseconds: 1_700_000_000_500_000)

    init() throws {
        log = try GrowingLog()
        try witness.add(log.signer.verifierKey)
    }

    @Test("a log that grows is cosigned, from nothing on, and again at the same size")
    func growth() throws {
        var witness = witness
        for (old, size) in [(0, 0), (0, 5), (5, 5), (5, 6), (6, 64), (64, 200)] as [(UInt64, UInt64)] {
            let decision = try witness.decide(log.request(old, size), at: time)

            #expect(decision == .cosign(try log.signed(size).checkpoint, at: time))
            #expect(witness.logs.first?.size == size)
            #expect(witness.logs.first?.root == log.tree.root(at: size))
        }
        #expect(witness.logs.first?.cosigned == EventInstant(microseconds: 1_700_000_000_000_000))
    }

    @Test("a log that is not known, and a checkpoint that its key did not sign, are refused")
    func strangers() throws {
        let stranger = try GrowingLog("log.example/other", seed: 2)
        let thief = try GrowingLog(seed: 3)
        let stolen = try WitnessRequest(oldSize: 0, proof: [], signed: log.signed(5, by: stranger.signer)).bytes
        var forged = try log.request(0, 5)
        forged[forged.count - 6] = forged[forged.count - 6] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")

        #expect(try refusal(stranger.request(0, 5)) == .unknownOrigin)
        #expect(try refusal(thief.request(0, 5)) == .unsigned)
        #expect(try refusal(stolen) == .unsigned)
        #expect(try refusal(forged) == .unsigned)
        #expect(try [stranger.request(0, 5), thief.request(0, 5)].map { try refusal($0)?.status } == [404, 403])
    }

    @Test("signatures of others beside the log's are no reason to refuse, and are not kept")
    func otherSignatures() throws {
        var witness = witness
        let other = try EdwardsNoteSigner(name: "w.example", algorithm: .cosignature)
        let signed = try log.signed(5)
        let more = try signed.adding([signed.checkpoint.cosigned(by: other, at: time)])

        _ = try witness.decide(WitnessRequest(oldSize: 0, proof: [], signed: more).bytes, at: time)

        #expect(witness.logs.first?.last == signed)
    }

    @Test("another old size than the known one is told that one, whatever the proof")
    func otherSize() throws {
        let witness = try seen(20)

        #expect(try refusal(log.request(0, 30), witness) == .otherSize(known: 20))
        #expect(try refusal(log.request(19, 30), witness) == .otherSize(known: 20))
        #expect(try refusal(log.request(21, 30), witness) == .otherSize(known: 20))
        #expect(WitnessRefusal.otherSize(known: 20).status == 409)
    }

    @Test("a rollback is refused: a smaller checkpoint, by whatever old size")
    func rollback() throws {
        let witness = try seen(20)
        let beyond = try WitnessRequest(oldSize: 20, proof: [], signed: log.signed(10)).bytes

        #expect(try refusal(beyond, witness)?.status == 400)
        #expect(try refusal(log.request(10, 10), witness) == .otherSize(known: 20))
        #expect(try refusal(log.request(0, 10), witness) == .otherSize(known: 20))
    }

    @Test("a split view is refused, and both histories are kept for others to see")
    func splitView() throws {
        var witness = try seen(20)
        let other = try GrowingLog(forkingAt: 7)

        let decision = try witness.decide(other.request(20, 20), at: time)

        #expect(decision == .refuse(.otherRoot))
        #expect(WitnessRefusal.otherRoot.status == 409)
        let kept = try #require(witness.logs.first)
        #expect(kept.root == log.tree.root(at: 20))
        #expect(kept.contradiction?.cosigned == (try log.signed(20)))
        #expect(kept.contradiction?.shown == (try other.signed(20)))
        // The true history goes on.
        #expect(try witness.decide(log.request(20, 30), at: time) == .cosign(try log.signed(30).checkpoint, at: time))
    }

    @Test("a proof that does not hold is refused: of another history, of other sizes, cut off, or where none belongs")
    func inconsistent() throws {
        let witness = try seen(20)
        let other = try GrowingLog(forkingAt: 7)
        let proof = log.tree.consistencyProof(from: 20, to: 30).path
        let requests = [
            try other.request(20, 30),
            try WitnessRequest(oldSize: 20, proof: [], signed: log.signed(30)).bytes,
            try WitnessRequest(oldSize: 20, proof: proof.dropLast(), signed: log.signed(30)).bytes,
            try WitnessRequest(oldSize: 20, proof: proof + proof, signed: log.signed(30)).bytes,
            try WitnessRequest(oldSize: 20, proof: proof.reversed(), signed: log.signed(30)).bytes,
            try WitnessRequest(oldSize: 20, proof: proof, signed: log.signed(31)).bytes,
            try WitnessRequest(oldSize: 20, proof: proof, signed: log.signed(20)).bytes,
        ]

        for request in requests { #expect(try refusal(request, witness) == .inconsistent) }
        let first = try WitnessRequest(oldSize: 0, proof: proof, signed: log.signed(30)).bytes
        #expect(try refusal(first) == .inconsistent)
        #expect(WitnessRefusal.inconsistent.status == 422)
    }

    @Test("what is no request is refused with a sentence, and nothing traps on noise")
    func malformed() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let witness = try seen(20)
        let request = try log.request(20, 30)
        var cosigned = 0
        for number in 0..<1_000 {
            var bytes = request
            let place = Int(random.next() % UInt64(bytes.count))
            if number.isMultiple(of: 3) {
                bytes.removeSubrange(place...)
            } else {
                bytes[place] ^= 1 << UInt8(random.next() % 8)
            }
            var changed = witness
            if case .cosign = changed.decide(bytes, at: time) {
                cosigned += 1
            } else if changed != witness {
                cosigned += 1
            }
        }
        #expect(cosigned == 0, "seed \(seed)")
        #expect(try refusal(Array("hello".utf8))?.status == 400)
        let long = try Checkpoint(
            origin: GrowingLog.origin,
            size: 0,
            root: MerkleHash.empty,
            extensions: [ExactText(String(repeating: "a", count: 16_384))]
        )
        let longRequest = try WitnessRequest(
            oldSize: 0,
            proof: [],
            signed: SignedCheckpoint(long, signedBy: [log.signer])
        )
        .bytes
        #expect(try refusal(longRequest)?.status == 400)
    }

    @Test("a clock that went back makes no cosignature that contradicts the last one")
    func clock() throws {
        let witness = try seen(20)
        var early = witness
        let second = EventInstant(microseconds: time.microseconds - 500_000)
        let before = EventInstant(microseconds: time.microseconds - 600_000)

        #expect(try early.decide(log.request(20, 30), at: before) == .refuse(.clockBehind))
        #expect(early == witness)
        #expect(try early.decide(log.request(20, 30), at: second) == .cosign(try log.signed(30).checkpoint, at: second))
        var fresh = self.witness
        #expect(try fresh.decide(log.request(0, 5), at: EventInstant(microseconds: -1)) == .refuse(.clockBehind))
    }

    @Test("a log may have several keys, an origin of its own, and so may a hundred logs")
    func logs() throws {
        var witness = Witness()
        let (first, second) = (log.signer, try GrowingLog(seed: 2).signer)
        try witness.add(first.verifierKey, origin: "elsewhere")
        try witness.add(second.verifierKey, origin: "elsewhere")
        try witness.add(second.verifierKey, origin: "elsewhere")
        let signed = try log.signed(5, origin: "elsewhere", by: second)

        let decision = try witness.decide(WitnessRequest(oldSize: 0, proof: [], signed: signed).bytes, at: time)

        #expect(decision == .cosign(signed.checkpoint, at: time))
        #expect(witness.logs.map(\.keys.count) == [2])
        for number in 1..<100 { try witness.add(first.verifierKey, origin: ExactText("log \(number)")) }
        #expect(throws: WitnessError.tooMany(of: "logs", limit: 100)) {
            try witness.add(first.verifierKey, origin: "more")
        }
        #expect(throws: WitnessError.self) { try witness.add(first.verifierKey, origin: "a\nb") }
    }

    private func seen(_ size: UInt64) throws -> Witness {
        var witness = witness
        _ = try witness.decide(log.request(0, size), at: time)
        return witness
    }

    private func refusal(_ body: [UInt8], _ witness: Witness? = nil) throws -> WitnessRefusal? {
        var witness = witness ?? self.witness
        guard case .refuse(let refusal) = witness.decide(body, at: time) else { return nil }
        return refusal
    }
}
