/// Names one change of one file; events and reports refer to it.
public struct ChangeReference: Sendable, Hashable {
    /// The number of the file in its realm, from 1.
    public let file: UInt32
    /// The number of the change in its file, from 1.
    public let number: Int

    /// Names a change.
    public init(file: UInt32, number: Int) {
        self.file = file
        self.number = number
    }
}
