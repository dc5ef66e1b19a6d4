public import AuditModel
public import AuditVerifying
public import EventModel

/// Where an export reads from: the store of a server, or the files of a device.
public protocol ExportSource {
    /// How many events there are to be looked at, as far as is known before.
    func eventCount() async throws -> UInt64

    /// Calls the closure with each partition that may have events of the export, in the order of their age.
    ///
    /// What a partition holds is fixed when the closure is called: what arrives later is not exported.
    func partitions(_ body: (ExportedPartition) async throws -> Void) async throws

    /// Calls the closure with the events of a partition that fit the filter, a page at a time and by sequence.
    func events(of partition: ExportedPartition, _ body: ([StoredEvent]) async throws -> Void) async throws

    /// Returns leaf hashes of a partition, in order.
    ///
    /// - Throws: An error when one is missing.
    func leaves(of partition: ExportedPartition, _ sequences: ClosedRange<UInt64>) async throws -> [Digest]

    /// Returns the time-stamp that says most of these entries of the log; nil when none says anything, and of files.
    ///
    /// - Throws: An error when there is one that is damaged, or of another log than what is exported.
    func timeStamp(of entries: [UInt64]) async throws -> ExportedTimeStamp?
}
