/// What a loop of kills found wrong.
public struct AppKillError: Error, Sendable, CustomStringConvertible {
    /// A sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
