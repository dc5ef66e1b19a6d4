import Synchronization

/// A call of ``Realm/read(_:)`` on a frozen realm: several threads and tasks make such calls at once.
final class FrozenReads: Sendable {
    @TaskLocal private static var current: FrozenReads?
    private let firstError = Mutex<Realm.Error?>(nil)

    /// Runs a block whose reads may fail.
    ///
    /// - Throws: What the block throws, or else the first error of a read in it.
    static func guarding<Result>(_ block: () throws -> Result) throws -> Result {
        let reads = FrozenReads()
        let outcome = Swift.Result { try $current.withValue(reads) { try block() } }
        let failure = reads.firstError.withLock { $0 }
        // An outer block did not get its data either.
        if let failure { _ = keep(failure) }
        let result = try outcome.get()
        if let failure { throw failure }
        return result
    }

    /// Keeps an error for the block that is running.
    ///
    /// - Returns: Whether there is one.
    static func keep(_ error: Realm.Error) -> Bool {
        guard let current else { return false }
        current.firstError.withLock { if $0 == nil { $0 = error } }
        return true
    }

    /// Whether a read failed in the block that is running.
    static var lacksData: Bool { current?.firstError.withLock { $0 != nil } ?? false }
}
