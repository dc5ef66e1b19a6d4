/// The collections of apps, and the columns of each.
///
/// `EventCollectionsConformance` in AuditServerTesting checks a store against this contract.
public protocol EventCollections: Sendable {
    /// Lists the apps that have a collection, in the order of their bytes.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func collections() async throws -> [String]

    /// Returns the metadata columns of an app's collection in the order in which they were added.
    ///
    /// - Returns: The columns, or nil when the app has no collection.
    /// - Throws: `unavailable` when the storage fails.
    func metadataColumns(of app: String) async throws -> [String]?

    /// Creates the collection of an app, and adds the metadata columns that it lacks, all or none of them.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - columns: Keys of metadata that `EventSchema.check(metadataColumns:)` accepts; those that are there stay.
    /// - Throws: `invalidSchemaChange` when there would be more than `EventSchema.maximumMetadataColumns`, and
    ///   `unavailable` when the storage fails.
    func extendCollection(of app: String, by columns: [String]) async throws
}
