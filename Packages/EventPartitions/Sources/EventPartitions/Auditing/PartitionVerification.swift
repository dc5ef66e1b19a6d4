public import EventModel

/// What an auditor learns about one file.
public struct PartitionVerification: Sendable, Equatable {
    /// The absolute path of the file.
    public let path: String
    /// The partition, by the name of the file and its folder.
    public let partition: PartitionID
    /// Whose events these are, as the file says where it begins; nil in files of earlier versions.
    public let owner: EventOwner?
    /// How many events were read.
    public let eventCount: UInt64
    /// The root over them.
    public let root: Digest
    /// The seal, or nil when the partition is not closed.
    public let seal: PartitionSeal?
    /// The losses that the device noted.
    public let losses: [LossEntry]
    /// The bytes of a last frame that was not completely written, which holds nothing that anybody was promised.
    public let tornTail: Range<UInt64>?
    /// The damaged places of the file with the events that they take away, in the order of the file.
    public let damages: [PartitionDamage]
    /// What is wrong, in the order of the file; empty when every proof holds.
    public let problems: [PartitionError]
}
