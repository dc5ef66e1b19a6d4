public import SyncServer

/// The contract of ``/SyncServer/ChangeStore``, checked against any implementation.
///
/// ```swift
/// let broken = try await ChangeStoreConformance { InMemoryChangeStore() }.violations()
/// #expect(broken == [])
/// ```
public struct ChangeStoreConformance: Sendable {
    let make: @Sendable () async throws -> any ChangeStore

    /// Creates a check.
    ///
    /// - Parameter make: Makes an empty store.
    public init(make: @escaping @Sendable () async throws -> any ChangeStore) {
        self.make = make
    }

    /// Returns a sentence for each rule that the store breaks.
    ///
    /// - Throws: What the store throws where the contract says that it does not.
    public func violations() async throws -> [String] {
        try await binding() + keys() + taking() + refusing() + repeating() + reading() + realmsApart() + objects()
            + schemas()
            + posting() + shortening() + shortenedRealms() + decidingBelowTheFloor()
    }
}

extension Rules {
    /// Expects an error of the sync server.
    func expect(_ rule: String, throws expected: SyncServerError, _ body: () async throws -> some Any) async {
        do {
            _ = try await body()
            broken(rule)
        } catch {
            if error as? SyncServerError != expected { broken("\(rule), and not: \(error)") }
        }
    }

    /// Returns what came of an upload that must be taken.
    func taken(_ rule: String, _ outcome: Result<TakenChanges, SyncServerError>?) -> TakenChanges? {
        if case .success(let taken) = outcome { return taken }
        broken(rule)
        return nil
    }
}
