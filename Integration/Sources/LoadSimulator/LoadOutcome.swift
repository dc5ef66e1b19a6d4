/// What a simulation showed, for people and for programs.
public protocol LoadOutcome: CustomStringConvertible {
    /// What must not be; empty when all is well.
    var problems: [String] { get }

    /// The outcome as one line of JSON, its keys in order.
    ///
    /// - Throws: What encoding throws.
    func json() throws -> String
}
