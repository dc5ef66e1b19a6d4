public import EventModel

/// A place between two events in the order of a listing: partitions by age, events by sequence.
public struct EventCursor: Sendable, Hashable {
    /// The header in which an answer says where the next page begins.
    package static let header = "Daybook-Next-Cursor"
    /// The header of an answer of what arrived that says that there is more at once.
    package static let isMoreHeader = "Daybook-Is-More"
    /// The header of such an answer that says that the server did not know the place: what came before may be missing.
    package static let beginsAnewHeader = "Daybook-Begins-Anew"

    /// The partition of the event before the place.
    public let partition: PartitionID
    /// The sequence of the event before the place.
    public let sequence: UInt64

    /// Names the place behind an event.
    public init(partition: PartitionID, sequence: UInt64) {
        self.partition = partition
        self.sequence = sequence
    }

    /// Reads the text form.
    ///
    /// - Returns: nil when the text has another form.
    public init?(text: String) {
        guard
            let bytes = Hexadecimal.bytes(text), let plain = String(validating: bytes, as: UTF8.self),
            let colon = plain.firstIndex(of: ":"), let sequence = UInt64(plain[..<colon])
        else { return nil }
        do {
            partition = try PartitionID(String(plain[plain.index(after: colon)...]))
        } catch {
            // Why the partition is malformed does not help whoever made up a cursor.
            return nil
        }
        self.sequence = sequence
    }

    /// The text form, which callers pass back as it is: hexadecimal digits.
    public var text: String { Hexadecimal.text(Array("\(sequence):\(partition.value)".utf8)) }
}
