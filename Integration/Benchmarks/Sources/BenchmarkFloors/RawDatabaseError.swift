/// SQLite refused something at the floor.
public struct RawDatabaseError: Error, Sendable, Equatable, CustomStringConvertible {
    /// SQLite's result code.
    public let code: Int32
    /// What was asked of it.
    let action: String

    /// What happened, in a sentence.
    public var description: String { "SQLite could not \(action); its result code is \(code)." }
}
