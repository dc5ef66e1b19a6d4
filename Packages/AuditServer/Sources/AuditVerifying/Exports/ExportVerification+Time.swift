import AuditModel
import EventModel
import EventProofs
public import TimeStamping

extension ExportVerification {
    /// Checks everything, and whether an authority of time that the caller believes has seen the log before a time.
    ///
    /// - Parameters:
    ///   - trust: Whose time-stamps are believed; nil when nobody asks for any, as in ``run(_:)``.
    ///   - report: Called with the number of events from time to time.
    /// - Throws: As ``run(_:)``.
    public mutating func run(trusting trust: TimeStampTrust?, _ report: (UInt64) -> Void = { _ in }) async throws {
        asksForTime = trust != nil
        try run(report)
        guard let trust, manifest != nil else { return }
        guard let carried = carriedStamp else {
            // What is there and cannot be read was told.
            if !namesTimeStamp {
                note(
                    "\(ExportManifest.fileName): it names no time-stamp: when the partitions were there, only the server's clock says."
                )
            }
            return
        }
        do throws(TimeStampError) {
            let stamp = try await trust.verify(carried.token, over: carried.signed.note.bytes)
            finish(carried, stamp)
        } catch {
            note("\(ExportManifest.stampName): \(error)")
        }
    }

    /// Says what the time-stamp proves, and which times of receipt do not fit it.
    private mutating func finish(_ carried: ExportedTimeStamp, _ stamp: TimeStamp) {
        guard isStampOfLog else { return }
        let covered = stampedPartitions
        guard covered > 0 else {
            return note("\(ExportManifest.stampedName): none of the partitions was in the log by then.")
        }
        provenTime = ProvenTime(entries: carried.signed.checkpoint.size, partitions: covered, stamp: stamp)
        if partitions > covered {
            let rest = partitions - covered
            remarks.append(
                "Of \(rest) \(rest == 1 ? "partition" : "partitions") the time-stamp says nothing: they are open, or came into the log later."
            )
        }
        // The same that a whole log is held against, see StampedTimes.
        if let entry = latestStamped,
            entry.received.microseconds &- StampedTimes.tolerance > stamp.latest.microseconds
        {
            remarks.append(
                "Partition \(entry.partition) was received at \(entry.received), by the server's clock, and was in the log before "
                    + "\(stamp.latest): that clock was ahead."
            )
        }
        if let entry = earliestUnstamped,
            entry.received.microseconds < stamp.time.microseconds &- StampedTimes.tolerance
        {
            remarks.append(
                "Partition \(entry.partition) was received at \(entry.received), by the server's clock, and was not in the log that "
                    + "was time-stamped at \(stamp.time): it was entered later than it says."
            )
        }
    }

    // MARK: - The place in the log

    var stampNames: [String] { [ExportManifest.stampedName, ExportManifest.stampName] }

    private var namesTimeStamp: Bool { manifest?.files.contains { stampNames.contains($0.name) } == true }

    /// Reads the time-stamp, and checks that it is of the log that the partitions are in; whoever made it is asked later.
    mutating func checkTimeStamp(of manifest: ExportManifest, in tree: ExportedTree?) throws {
        let named = stampNames.filter { name in manifest.files.contains { $0.name == name } }
        guard named.count == stampNames.count else {
            if let name = named.first {
                note("\(ExportManifest.fileName): it names \(name) alone, which proves no time without the other file.")
            } else if manifest.consistency != nil {
                note("\(ExportManifest.fileName): it has a consistency proof, and no time-stamp that it would be for.")
            }
            return
        }
        // A file that is missing is told of with the others. One byte more than there may be shows that there is more.
        guard let checkpoint = try contents(ExportManifest.stampedName, upTo: SignedNote.maximumBytes + 1),
            let reply = try contents(ExportManifest.stampName, upTo: TimeStampToken.maximumBytes + 1)
        else { return }
        let carried: ExportedTimeStamp
        do {
            carried = try ExportedTimeStamp(
                checkpoint: checkpoint,
                reply: reply,
                consistency: manifest.consistency
            )
        } catch {
            let name = error is TimeStampError ? ExportManifest.stampName : ExportManifest.stampedName
            return note("\(name): \(error)")
        }
        carriedStamp = carried
        guard let tree else {
            return note(
                "\(ExportManifest.fileName): it names a time-stamp, and no checkpoint that it could be held against."
            )
        }
        try checkLog(of: carried, manifest, tree)
        if !asksForTime {
            remarks.append(
                "It carries a time-stamp, which was not checked: 'daybook verify --authority' does, with the roots of the authority of time."
            )
        }
    }

    private mutating func checkLog(
        of carried: ExportedTimeStamp,
        _ manifest: ExportManifest,
        _ tree: ExportedTree
    ) throws {
        let keys = believedKeys(of: manifest)
        guard !keys.isEmpty else { return }
        do throws(ProofError) {
            // What the log signed counts; that enough witnesses had cosigned by then is not asked.
            _ = try WitnessPolicy(logKeys: keys).verify(carried.signed)
        } catch {
            return note("\(ExportManifest.stampedName): \(error)")
        }
        guard carried.fits(tree) else {
            return note(
                "\(ExportManifest.stampedName): the log of its \(carried.signed.checkpoint.size) entries and the one of the checkpoint are "
                    + "not shown to be the same."
            )
        }
        isStampOfLog = true
    }
}
