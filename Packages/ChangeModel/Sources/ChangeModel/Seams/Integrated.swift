/// What came of integrating entries.
public struct Integrated: Sendable, Hashable {
    /// An own operation that the server did not do, and that was undone here.
    public struct RejectedWrite: Sendable, Hashable {
        /// The number of the change.
        public let change: Int
        /// The index of the operation in the change.
        public let index: Int
        /// The object that it was done to.
        public let object: ObjectAddress
        /// Why.
        public let reason: OperationRefusal

        /// Creates a rejected write.
        public init(change: Int, index: Int, object: ObjectAddress, reason: OperationRefusal) {
            self.change = change
            self.index = index
            self.object = object
            self.reason = reason
        }
    }

    /// The position afterwards.
    public let position: Int
    /// The own writes that were undone, in the order of their changes.
    public let rejected: [RejectedWrite]

    /// Creates a result.
    public init(position: Int, rejected: [RejectedWrite]) {
        self.position = position
        self.rejected = rejected
    }
}
