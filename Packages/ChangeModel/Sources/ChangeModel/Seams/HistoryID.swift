/// The name of one history of a realm on the server: 16 random bytes, new after a restore or a reset.
public struct HistoryID: Sendable, Hashable {
    /// How many bytes a name has.
    public static let byteCount = 16

    /// The bytes.
    public let bytes: [UInt8]

    /// Creates a name from exactly 16 bytes.
    ///
    /// - Returns: nil when the count differs.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
