/// Thrown by a row that cannot be measured on this machine.
public struct SkippedBenchmark: Error, Sendable, Equatable, CustomStringConvertible {
    /// Why, in a sentence that says what to install.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter reason: A sentence.
    public init(_ reason: String) {
        description = reason
    }
}
