/// Why traces cannot be read.
public struct TraceError: Error, Sendable, CustomStringConvertible {
    /// A sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
