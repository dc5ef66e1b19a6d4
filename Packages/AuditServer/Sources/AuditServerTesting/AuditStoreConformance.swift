public import AuditModel

/// The contract of everything that an engine keeps, seam by seam, checked against any implementation.
///
/// ```swift
/// let broken = try await AuditStoreConformance { InMemoryEventStore() }.violations()
/// #expect(broken == [])
/// ```
public struct AuditStoreConformance: Sendable {
    private let make: @Sendable () async throws -> any AuditStore

    /// Creates a check.
    ///
    /// - Parameter make: Makes an empty store.
    public init(make: @escaping @Sendable () async throws -> any AuditStore) {
        self.make = make
    }

    /// Returns a sentence for each rule that the store breaks, and for each that a search over it breaks.
    ///
    /// - Throws: What the store throws where the contract says that it does not.
    public func violations() async throws -> [String] {
        var violations: [String] = []
        violations += try await EventIngestConformance(make: make).violations()
        violations += try await EventReadingConformance(make: make).violations()
        violations += try await EventCollectionsConformance(make: make).violations()
        violations += try await PartitionProvingConformance(make: make).violations()
        violations += try await SealLogConformance(make: make).violations()
        violations += try await EventKeepingConformance(make: make).violations()
        violations += try await SearchConformance(make: make).violations()
        violations += try await VolumeConformance(make: make).violations()
        return violations
    }
}
