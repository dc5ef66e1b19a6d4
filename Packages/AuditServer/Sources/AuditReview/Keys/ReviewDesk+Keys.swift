import AuditModel
import EventModel
import EventProofs

extension ReviewDesk {
    /// How many entries of the log are read at once.
    private static let entriesAtOnce = 5000

    /// Raises an alert for a partition that a revoked key has sealed; does nothing for any other.
    func raiseRevoked(_ entry: PartitionLogEntry) async throws {
        guard let statement = read({ $0.revocation(of: entry) }) else { return }
        var alert = Alert(
            rule: "revokedKeys",
            .revokedKey,
            of: entry.owner,
            subject: [entry.partition.value],
            from: entry.received,
            through: entry.received
        )
        alert.partition = entry.partition
        alert.count = entry.seal.count
        alert.detail = "sealed with a device key that was revoked: \(statement.reason)"
        try await raise(alert)
    }

    /// Looks through the whole log for what revoked keys have sealed, when somebody said something of a key since the last time.
    ///
    /// A key may be revoked from a time on that has passed; what was looked at before is looked at again, once for all new statements.
    ///
    /// - Complexity: O(*n*) in the entries of the log, after a statement alone.
    func findRevoked() async throws {
        let statements = read(\.revocations)
        guard withLogWatch({ $0.needsLook(for: statements.count, through: statements.map(\.place).max()) }) else {
            return
        }
        let end = withLogWatch(\.next)
        var index: UInt64 = 0
        while index < end {
            let entries = try await log.logEntries(from: index, limit: Self.entriesAtOnce)
            guard let last = entries.last else { break }
            for entry in entries { try await raiseRevoked(entry) }
            index = last.index + 1
        }
        withLogWatch { $0.didLook(for: statements.count, through: statements.map(\.place).max()) }
    }
}
