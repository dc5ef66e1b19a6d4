package import EventModel

/// Who may use which partitions of an app, by their prefixes.
///
/// A user never reaches a partition of another user, and an auditor none of an app that is not theirs, whatever the rules
/// say: rules narrow.
///
/// ```swift
/// var rules = PartitionRules()
/// rules.userWrite = [try PrefixPattern("%%user.id")]
/// ```
public struct PartitionRules: Sendable, Hashable {
    /// The prefixes of partitions that a user may upload to; all by default.
    public var userWrite: [PrefixPattern]
    /// The prefixes of partitions that a user may ask the state of; all by default.
    public var userRead: [PrefixPattern]
    /// The prefixes of partitions that auditors may read; all by default.
    public var auditorRead: [PrefixPattern]

    /// Creates rules; without arguments they allow everything.
    public init(
        userWrite: [PrefixPattern] = [.all],
        userRead: [PrefixPattern] = [.all],
        auditorRead: [PrefixPattern] = [.all]
    ) {
        self.userWrite = userWrite
        self.userRead = userRead
        self.auditorRead = auditorRead
    }

    /// Checks that a user may upload to a partition.
    ///
    /// - Throws: ``AuditServerError/forbidden(reason:)``.
    package func checkWriting(_ partition: PartitionID, by user: String) throws(AuditServerError) {
        guard Self.fits(userWrite, partition, user) else { throw .foreignPartition }
    }

    /// Checks that a user may ask for the state of a partition.
    ///
    /// - Throws: ``AuditServerError/forbidden(reason:)``.
    package func checkReading(_ partition: PartitionID, by user: String) throws(AuditServerError) {
        guard Self.fits(userRead, partition, user) else { throw .foreignPartition }
    }

    package static func fits(_ patterns: [PrefixPattern], _ partition: PartitionID, _ user: String) -> Bool {
        patterns.contains { $0.fits(partition.prefix, of: user) }
    }
}

extension AuditServerError {
    /// What somebody gets who may not use a partition, the same whether it exists or not.
    package static let foreignPartition = forbidden(reason: "the user may not use this partition")
}
