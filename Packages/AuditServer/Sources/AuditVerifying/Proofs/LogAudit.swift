public import AuditModel
public import EventModel
public import EventProofs

/// Recomputes the log of a server from its entries, and collects what is wrong with it.
///
/// ```swift
/// var audit = LogAudit(head: head)
/// if let kept { audit.compare(with: kept, proof: proof) }
/// for line in lines { audit.add(line) }
/// audit.finish(partitions: records)
/// ```
public struct LogAudit: Sendable {
    /// The signed head that the log is held against.
    public let head: TreeHead
    /// A sentence for everything that is wrong; empty when the log holds.
    public private(set) var problems: [String] = []
    /// A sentence for what somebody should look at, though every proof holds.
    public private(set) var remarks: [String] = []
    /// How many entries were looked at.
    public var count: UInt64 { frontier.count }

    /// What witnesses have cosigned, once the log was found to begin with it; nil when nobody asked, or it does not.
    public private(set) var cosigned: CosignedCheckpoint?

    private var expected: CosignedCheckpoint?
    private var times = StampedTimes()
    /// What is not believed, by the bytes of the keys.
    private var revoked: [[UInt8]: [RevokedKey]] = [:]
    private var devices: RegisteredDevices?
    private var frontier = MerkleFrontier()
    /// How many entries were shown as hashes alone.
    private var withheldCount: UInt64 = 0
    /// What was not held against a list of partitions yet.
    private var entries: [PartitionID: PartitionLogEntry] = [:]
    /// The keys that sealed the partitions, each behind the one before.
    private var chains = PartitionChains<[UInt8]>()

    /// The keys that seal the auditors' trail; nil where the server does not say.
    private let trailKeys: TrailKeys?
    private var hasOtherTrailKey = false

    /// Starts an audit with the head that the server signed for it.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - trailKeys: The keys that seal the auditors' trail, as the server says; nil, the default, when that is not known.
    public init(head: TreeHead, trailKeys: TrailKeys? = nil) {
        self.head = head
        self.trailKeys = trailKeys
        do throws(ProofError) {
            try head.verifySignature()
        } catch {
            problems.append("\(error)")
        }
    }

    /// Holds the head against one that was kept from an earlier audit.
    ///
    /// - Parameters:
    ///   - kept: The earlier head.
    ///   - proof: The server's proof that the one log is the beginning of the other; nil when it gave none.
    public mutating func compare(with kept: TreeHead, proof: ConsistencyProof?) {
        do throws(ProofError) {
            try kept.verifySignature()
        } catch {
            return problems.append("The kept tree head cannot be relied on: \(error)")
        }
        if kept.publicKey != head.publicKey {
            let (now, before) = (Hexadecimal.text(head.publicKey), Hexadecimal.text(kept.publicKey))
            problems.append("The server signs with the key \(now), and the kept tree head with \(before).")
        }
        guard kept.size <= head.size else {
            problems.append("The log has \(head.size) partitions, and had \(kept.size) before.")
            return
        }
        let holds =
            proof.map { proof in
                proof.first == kept.size && proof.second == head.size
                    && proof.verify(firstRoot: kept.root, secondRoot: head.root)
            } ?? false
        if !holds {
            problems.append(
                "The log is not the one that had \(kept.size) partitions at \(kept.issued): it was rewritten."
            )
        }
    }

    /// Holds the log against a checkpoint that a policy accepted, such as one with a quorum of witnesses; before the first line.
    public mutating func compare(with cosigned: CosignedCheckpoint) {
        expected = cosigned
        compareRoot()
    }

    /// Holds the log, and the times in it, against checkpoints that an authority of time has seen; before the first line.
    public mutating func compare(with stamped: [StampedCheckpoint]) {
        times = StampedTimes(stamped)
        times.compare(frontier)
    }

    /// Holds the log against what was said of the keys of devices; before the first line.
    public mutating func compare(with revoked: [RevokedKey]) {
        self.revoked = Dictionary(grouping: revoked, by: \.publicKey)
    }

    /// Holds the keys that sealed the log's partitions against what devices registered; before the first line.
    public mutating func compare(with devices: RegisteredDevices) {
        problems += devices.problems
        self.devices = devices
    }

    /// The time-stamps that were found to be of this log, from the oldest on.
    public var timeStamps: [StampedCheckpoint] { times.proven }

    private mutating func compareRoot() {
        times.compare(frontier)
        guard let expected, expected.checkpoint.size == frontier.count else { return }
        if expected.checkpoint.root == frontier.root {
            cosigned = expected
        } else {
            problems.append("The first \(frontier.count) entries of the log are not those of its published checkpoint.")
        }
        self.expected = nil
    }

    /// Looks at the next line.
    public mutating func add(_ line: LogLine) {
        switch line {
        case .entry(let entry): add(entry)
        case .withheld(let index, let leaf):
            guard count < head.size else { return }
            if index != count { problems.append("Entry \(count) of the log is missing.") }
            frontier.append(leaf)
            compareRoot()
            withheldCount += 1
        }
    }

    /// Looks at the next entry.
    public mutating func add(_ entry: PartitionLogEntry) {
        guard count < head.size else { return }
        if entry.index != count { problems.append("Entry \(count) of the log is missing.") }
        do throws(ProofError) {
            try entry.seal.verifySignature()
        } catch {
            problems.append("Entry \(entry.index) of the log: \(error)")
        }
        if entries.updateValue(entry, forKey: entry.partition) != nil {
            problems.append("Partition \(entry.partition) is in the log twice.")
        }
        if let owner = entry.seal.owner, owner != entry.owner {
            problems.append("Entry \(entry.index) of the log: the seal was made for another app or user.")
        }
        if entry.app == TrailEvent.app, let trailKeys, !hasOtherTrailKey,
            !trailKeys.seals(with: entry.seal.publicKey, at: entry.received)
        {
            hasOtherTrailKey = true
            remarks.append(
                "Partition \(entry.partition) of the auditors' trail, and perhaps more, is not sealed with the server's key of now: "
                    + "its key was \(Hexadecimal.text(entry.seal.publicKey))."
            )
        }
        switch chains.add(entry.seal, of: entry.owner, as: entry.seal.publicKey) {
        case .behind(let key): compare(entry, with: key)
        case .branch(let key):
            compare(entry, with: key)
            remarks.append(
                "Partition \(entry.partition) of user \(entry.user) follows one that another partition follows, too: "
                    + "a device was put back to an earlier state, or its key is on two."
            )
        case .first, .behindMissing: break
        }
        problems += (revoked[entry.seal.publicKey] ?? []).compactMap { $0.problem(of: entry) }
        // The server seals the trail, and registers no key of its own.
        if entry.app != TrailEvent.app { devices?.add(entry) }
        times.add(entry)
        frontier.append(entry.leaf)
        compareRoot()
    }

    /// Remarks that a partition follows one that another key sealed.
    private mutating func compare(_ entry: PartitionLogEntry, with key: [UInt8]) {
        guard key != entry.seal.publicKey else { return }
        let (now, before) = (Hexadecimal.text(entry.seal.publicKey), Hexadecimal.text(key))
        remarks.append(
            "Partition \(entry.partition) of user \(entry.user) follows one that another device sealed: "
                + "the key was \(before) and is \(now)."
        )
    }

    /// Holds the log against the partitions, which were listed before the head was asked for.
    ///
    /// - Complexity: O(*n*) in partitions and entries.
    public mutating func finish(partitions: [PartitionRecord]) {
        if withheldCount > 0 {
            remarks.append(
                "\(withheldCount) entries of the log were shown as hashes alone: the token does not read them."
            )
        }
        if let expected {
            problems.append(
                "The published checkpoint has \(expected.checkpoint.size) entries, and the log shows \(count)."
            )
        }
        times.finish(count: count)
        remarks += times.remarks + (devices?.remarks ?? [])
        problems += times.problems
        if count < head.size { problems.append("The log has \(head.size) partitions, and shows \(count).") }
        if frontier.root != head.root { problems.append("The root over the log's entries is not the signed one.") }
        for record in partitions {
            let logged = entries.removeValue(forKey: record.partition)
            if record.seal != nil, logged == nil {
                problems.append("Partition \(record.partition) is sealed and not in the log.")
            }
            guard let logged else { continue }
            if record.owner != logged.owner {
                problems.append("Partition \(record.partition) is listed with another app or user than in the log.")
            }
            guard let seal = record.seal else {
                // It may have been sealed since it was listed, but then with the events that it had.
                if record.count > logged.seal.count {
                    problems.append("Partition \(record.partition) has more events than the log says.")
                }
                entries[record.partition] = logged
                continue
            }
            if seal != logged.seal {
                problems.append("The seal of partition \(record.partition) is not the one in the log.")
            }
            if record.received != logged.received {
                problems.append("The time of receipt of partition \(record.partition) is not the one in the log.")
            }
        }
    }

    /// The partitions of the log that no list of partitions named as sealed; call after ``finish(partitions:)``.
    ///
    /// They were sealed since, or they are gone, or their seals are.
    public var unlisted: [PartitionSeal] { entries.values.map(\.seal).sorted { $0.partition < $1.partition } }

    /// Notes what somebody should look at, and was found elsewhere.
    public mutating func remark(_ remark: String) { remarks.append(remark) }

    /// Notes a problem that was found elsewhere.
    public mutating func report(_ problem: String) {
        problems.append(problem)
    }
}
