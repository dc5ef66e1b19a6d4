import AuditModel
import AuditServerTesting
import AuditVerifying
import EventModel
import EventProofs
import Testing

import enum Crypto.Curve25519

@Suite("Audits of the log")
struct LogAuditTests {
    /// A server's log that a test may bend.
    private struct Log {
        let key = Curve25519.Signing.PrivateKey()
        var entries: [PartitionLogEntry] = []
        var records: [PartitionRecord] = []

        var tree: MerkleTree { MerkleTree(leaves: entries.map(\.leaf)) }

        init(_ count: UInt32) throws {
            for number in 1...count { try seal(number, by: DeviceKey()) }
        }

        mutating func seal(_ number: UInt32, by key: DeviceKey, after root: Digest? = nil) throws {
            var device = SampleDevice(number)
            device.record(["a"])
            let seal = try device.signed(by: key, after: root)
            entries.append(
                PartitionLogEntry(
                    index: UInt64(entries.count),
                    app: SampleDevice.owner.app,
                    user: SampleDevice.owner.user,
                    received: SampleDevice.received,
                    seal: seal
                )
            )
            records.append(
                PartitionRecord(
                    partition: device.partition,
                    owner: SampleDevice.owner,
                    count: 1,
                    root: seal.root,
                    seal: seal,
                    received: SampleDevice.received
                )
            )
        }

        func head(_ size: Int? = nil) throws -> TreeHead {
            let size = UInt64(size ?? entries.count)
            func head(_ signature: [UInt8]) -> TreeHead {
                TreeHead(
                    size: size,
                    root: tree.root(at: size),
                    issued: SampleDevice.received,
                    publicKey: Array(key.publicKey.rawRepresentation),
                    signature: signature
                )
            }
            return head(Array(try key.signature(for: head([]).canonicalBytes)))
        }

        func audit(_ head: TreeHead? = nil, kept: TreeHead? = nil) throws -> LogAudit {
            var audit = LogAudit(head: try head ?? self.head())
            if let kept {
                let proof =
                    kept.size <= tree.count ? tree.consistencyProof(from: kept.size, to: audit.head.size) : nil
                audit.compare(with: kept, proof: proof)
            }
            for entry in entries { audit.add(entry) }
            audit.finish(partitions: records)
            return audit
        }
    }

    @Test("a log that holds has no problems, alone and against any earlier head")
    func intact() throws {
        let log = try Log(5)

        for size in 0...5 {
            let audit = try log.audit(kept: log.head(size))
            #expect(audit.problems == [])
            #expect(audit.remarks == [])
            #expect(audit.unlisted == [])
            #expect(audit.count == 5)
        }
    }

    @Test("what was received with a key that was revoked by then is a problem, and nothing else of it")
    func revoked() throws {
        let (lost, kept) = (DeviceKey(), DeviceKey())
        var log = try Log(1)
        try log.seal(2, by: lost)
        try log.seal(3, by: kept)
        func problems(since microseconds: Int64, of key: DeviceKey, user: String) throws -> [String] {
            var audit = LogAudit(head: try log.head())
            let owner = EventOwner(app: SampleDevice.owner.app, user: user)
            let since = EventInstant(microseconds: SampleDevice.received.microseconds + microseconds)
            audit.compare(with: [RevokedKey(owner: owner, publicKey: key.publicKey, since: since, reason: "stolen")])
            for entry in log.entries { audit.add(entry) }
            audit.finish(partitions: log.records)
            return audit.problems
        }
        let found = try problems(since: 0, of: lost, user: SampleDevice.owner.user)
        #expect(
            found.count == 1 && found.first?.hasPrefix("Partition \(log.entries[1].partition) was received at ") == true
        )
        #expect(try problems(since: 1, of: lost, user: SampleDevice.owner.user).isEmpty)
        #expect(try problems(since: 0, of: lost, user: "another").isEmpty)
        #expect(try problems(since: 0, of: DeviceKey(), user: SampleDevice.owner.user).isEmpty)
    }

    @Test("an entry that was changed, removed, moved or put in is found by the kept head and by the signed root")
    func rewritten() throws {
        let log = try Log(4)
        let (kept, signed) = (try log.head(), try log.head())
        var removed = log
        removed.entries.remove(at: 1)
        var swapped = log
        swapped.entries.swapAt(1, 2)
        var changed = log
        let entry = log.entries[2]
        changed.entries[2] = PartitionLogEntry(
            index: 2,
            app: entry.app,
            user: "another",
            received: entry.received,
            seal: entry.seal
        )

        for bent in [removed, swapped, changed] {
            #expect(try !bent.audit(signed).problems.isEmpty)
            // A server that signs anew what it has bent is found by whoever kept the old head.
            let again = try bent.audit(kept: kept).problems
            #expect(again.contains { $0.contains("rewritten") || $0.contains("had 4 before") })
        }
    }

    @Test("partitions and log must name the same seals")
    func partitions() throws {
        let log = try Log(3)
        var unlogged = log
        unlogged.entries.removeLast()
        var gone = log
        gone.records.removeFirst()
        var resealed = log
        try resealed.seal(2, by: DeviceKey())
        resealed.records.remove(at: 1)
        resealed.entries.removeLast()

        #expect(
            try unlogged.audit().problems == ["Partition \(log.records[2].partition) is sealed and not in the log."]
        )
        #expect(try gone.audit().problems == [])
        #expect(try gone.audit().unlisted == [log.entries[0].seal])
        let partition = log.records[1].partition
        #expect(
            try resealed.audit().problems == ["The seal of partition \(partition) is not the one in the log."]
        )
    }

    @Test("what a list of partitions says is held against what is in the log")
    func columns() throws {
        let log = try Log(2)
        func problems(_ change: (PartitionRecord) -> PartitionRecord) throws -> [String] {
            var bent = log
            bent.records[1] = change(log.records[1])
            let audit = try bent.audit()
            return audit.problems + audit.unlisted.map { "unlisted \($0.partition)" }
        }
        func changed(
            _ record: PartitionRecord,
            user: String = SampleDevice.owner.user,
            count: UInt64 = 1,
            seal: PartitionSeal?,
            received: EventInstant = SampleDevice.received
        ) -> PartitionRecord {
            PartitionRecord(
                partition: record.partition,
                owner: EventOwner(app: SampleDevice.owner.app, user: user),
                count: count,
                root: record.root,
                seal: seal,
                received: received
            )
        }
        let partition = log.records[1].partition

        #expect(try problems { $0 } == [])
        #expect(
            try problems { changed($0, user: "mallory", seal: $0.seal) }
                == ["Partition \(partition) is listed with another app or user than in the log."]
        )
        #expect(
            try problems { changed($0, seal: $0.seal, received: EventInstant(microseconds: 1)) }
                == ["The time of receipt of partition \(partition) is not the one in the log."]
        )
        #expect(try problems { changed($0, seal: nil) } == ["unlisted \(partition)"])
        #expect(
            try problems { changed($0, count: 2, seal: nil) }.first
                == "Partition \(partition) has more events than the log says."
        )
    }

    @Test("a head with a wrong signature, and one of another key, are problems")
    func heads() throws {
        let log = try Log(2)
        let head = try log.head()
        let forged = TreeHead(
            size: 1,
            root: head.root,
            issued: head.issued,
            publicKey: head.publicKey,
            signature: head.signature
        )
        let other = try Log(1).head(0)

        #expect(try log.audit(forged).problems.contains { $0.contains("signature") })
        #expect(try log.audit(kept: forged).problems.count == 1)
        let problems = try log.audit(kept: other).problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("signs with the key") == true)
    }

    @Test("a log is held against the checkpoint that it publishes, wherever that ends")
    func published() throws {
        let log = try Log(6)
        let signer = try EdwardsNoteSigner(name: "log.example", algorithm: .ed25519)
        let policy = try WitnessPolicy(logKeys: [signer.verifierKey])
        func audit(_ size: UInt64, _ root: Digest) throws -> LogAudit {
            let checkpoint = try Checkpoint(origin: "log.example", size: size, root: root)
            var audit = LogAudit(head: try log.head())
            audit.compare(with: try policy.verify(SignedCheckpoint(checkpoint, signedBy: [signer])))
            for entry in log.entries { audit.add(entry) }
            audit.finish(partitions: log.records)
            return audit
        }

        for size in 0...6 as ClosedRange<UInt64> {
            let whole = try audit(size, log.tree.root(at: size))
            #expect(whole.problems == [] && whole.cosigned?.checkpoint.size == size)
            let other = try audit(size, MerkleHash.leaf([1]))
            #expect(other.problems.count == 1 && other.cosigned == nil)
        }
        let larger = try audit(7, MerkleHash.leaf([1]))
        #expect(larger.problems == ["The published checkpoint has 7 entries, and the log shows 6."])
    }

    @Test("two partitions that follow the same one are a remark: a device was put back, or its key is on two")
    func branch() throws {
        let key = DeviceKey()
        var log = try Log(1)
        try log.seal(2, by: key)
        let root = try #require(log.entries.last).seal.root
        try log.seal(3, by: key, after: root)
        #expect(try log.audit().remarks == [])
        try log.seal(4, by: key, after: root)
        let audit = try log.audit()

        #expect(audit.problems == [] && audit.remarks.count == 1)
        #expect(audit.remarks.first?.hasPrefix("Partition \(SampleDevice(4).partition) of user") == true)
    }

    @Test("a partition that follows another device's is a remark and no problem")
    func replacedKey() throws {
        let (own, thief) = (DeviceKey(), DeviceKey())
        var log = try Log(1)
        try log.seal(2, by: own)
        try log.seal(3, by: own, after: log.records[1].root)
        try log.seal(4, by: thief, after: log.records[2].root)
        try log.seal(5, by: thief, after: log.records[3].root)

        let audit = try log.audit()

        #expect(audit.problems == [])
        #expect(audit.remarks.count == 1)
        #expect(audit.remarks.first?.contains(Hexadecimal.text(own.publicKey)) == true)
        #expect(audit.remarks.first?.contains(log.records[3].partition.value) == true)
    }
}
