public import AuditModel
import EventModel

extension EventIngest {
    /// Stores sealed partitions of one event, each of a device of its own.
    ///
    /// - Parameter numbers: The numbers of the devices; the same one makes the same partition with another key each time.
    /// - Throws: What the store throws.
    public func acceptSealed(_ numbers: ClosedRange<UInt32>) async throws {
        for number in numbers {
            var device = SampleDevice(number)
            device.record(["a"])
            _ = try await accept(device.upload(1...1, seal: device.seal()))
        }
    }
}
