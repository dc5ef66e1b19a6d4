public import AuditModel
public import EventModel

/// What the tests of altered columns store, in each database: two sealed partitions of two users, the first of which has an event
/// that came twice.
public enum AlteredSample {
    /// The user of the second partition.
    public static let mallory = EventOwner(app: SampleDevice.owner.app, user: "mallory")

    /// The device of the first partition, with its three events.
    public static let device: SampleDevice = {
        var device = SampleDevice()
        do {
            let metadata = try EventMetadata(["userId": "ada"])
            device.record(device.event("Open chart", data: #"{"type":"P","value":[{"_id":"p1"}]}"#, metadata: metadata))
        } catch {
            preconditionFailure("The metadata of the sample is well-formed.")
        }
        device.record(device.event("Close chart"))
        device.record(device.events[0])
        return device
    }()

    /// Uploads both partitions.
    ///
    /// - Throws: What the store throws.
    public static func fill(_ store: some EventIngest) async throws {
        _ = try await store.accept(device.upload(1...3, seal: device.seal()))
        var other = SampleDevice(2)
        other.record(["x", "y"])
        _ = try await store.accept(other.upload(1...2, owner: mallory, seal: other.seal(of: mallory)))
    }
}
