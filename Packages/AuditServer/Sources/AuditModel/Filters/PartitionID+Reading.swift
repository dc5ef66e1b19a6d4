package import EventModel

extension PartitionID {
    /// Reads a partition that a request names.
    package static func reading(_ text: String) throws(AuditServerError) -> PartitionID {
        do {
            return try PartitionID(text)
        } catch {
            throw .rejected(reason: "a partition is a prefix, a hyphen and 24 hexadecimal digits")
        }
    }
}
