/// The asynchronous writes of one instance, in the order in which they were asked for.
struct AsyncWrites {
    private(set) var lastID: AsyncTransactionId = 0
    var waiting: [AsyncWrite] = []
    /// The write whose lock a synchronous transaction uses meanwhile, because it could not get one while its place waits.
    var lender: AsyncWrite?
    /// What is still to be told, by the write or commit that it belongs to.
    var completions: [AsyncTransactionId: () -> Void] = [:]

    mutating func nextID() -> AsyncTransactionId {
        lastID &+= 1
        return lastID
    }

    func write(_ id: AsyncTransactionId) -> AsyncWrite? { waiting.first { $0.id == id } }

    mutating func remove(_ write: AsyncWrite) { waiting.removeAll { $0 === write } }
}
