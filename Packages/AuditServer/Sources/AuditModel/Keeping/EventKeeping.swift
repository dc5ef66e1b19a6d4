import EventModel

/// Holds that keep events, and erasures that take them.
///
/// Erasing an event destroys the key of its payload and clears its columns. Its leaf hash, its place, its id, its owner and
/// the time of its receipt stay, so that roots, seals and the proofs of all other events hold for ever. `EventKeepingConformance` in
/// AuditServerTesting checks a store against this contract.
public protocol EventKeeping: ErasureLog {
    /// Lists all holds, also those that were lifted, in the order in which they were placed.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func holds() async throws -> [LegalHold]

    /// Places a hold, which counts from the next step of any erasure on.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) async throws -> LegalHold

    /// Lifts a hold; returns it, or nil when there is none with the number, or it was lifted before.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func liftHold(_ number: Int64, _ act: LegalHold.Act) async throws -> LegalHold?

    /// Writes down what is to be erased, before the first event goes.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func begin(_ order: ErasureOrder) async throws -> ErasureRecord

    /// Erases events in one transaction, but for those that a hold keeps at that moment.
    ///
    /// Events that are gone already are left as they are, and so are those that are damaged and the server's own.
    ///
    /// - Parameters:
    ///   - addresses: The events; places where nothing is stored are left out.
    ///   - erasure: An erasure that is under way.
    /// - Returns: What became of the events.
    /// - Throws: `unavailable` when the storage fails.
    func erase(_ addresses: [EventAddress], for erasure: Int64) async throws -> ErasureStep

    /// Ends an erasure: what it destroyed is in no file of the store any more, as far as that is in its power.
    ///
    /// An erasure that was ended before stays as it is.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func finish(_ erasure: Int64) async throws -> ErasureRecord
}
