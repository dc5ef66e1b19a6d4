import AuditServerTesting
import EventModel
import EventProofs
import Testing

@testable import AuditModel
@testable import AuditVerifying

@Suite("Registrations of keys against a log")
struct RegisteredDevicesTests {
    private static let owner = SampleDevice.owner
    private static let other = EventOwner(app: owner.app, user: "0000000000000000000000bb")
    private static let time = EventInstant(microseconds: 1_700_000_000_000_000)

    private func text(
        _ key: DeviceKey,
        of owner: EventOwner = owner,
        by server: SigningKey = SampleDevice.serverKey
    ) throws -> String {
        let claim = try DeviceKeyClaim(of: key, for: owner, to: server.publicKey, at: Self.time)
        return try server.registration(of: claim, at: Self.time).text
    }

    private func entry(_ device: SampleDevice, _ index: UInt64) throws -> PartitionLogEntry {
        PartitionLogEntry(
            index: index,
            app: Self.owner.app,
            user: Self.owner.user,
            received: Self.time,
            seal: try device.seal()
        )
    }

    private func sealed(_ number: UInt32) -> SampleDevice {
        var device = SampleDevice(number)
        device.record(["a"])
        return device
    }

    @Test("a key that is registered is neither a problem nor a remark, and one that is not is a remark")
    func whole() throws {
        let (one, two) = (sealed(1), sealed(2))
        var devices = RegisteredDevices(of: [SampleDevice.serverKey.publicKey])
        devices.add(try text(one.key), of: one.key.publicKey, by: Self.owner)
        devices.add(try entry(one, 0))
        #expect(devices.problems == [] && devices.remarks == [])
        devices.add(try entry(two, 1))
        #expect(devices.problems == [] && devices.remarks.count == 1)
        #expect(devices.remarks.first?.hasPrefix("1 of the 2 keys of devices") == true)
        // For another user it says nothing of this one.
        devices.add(try text(two.key, of: Self.other), of: two.key.publicKey, by: Self.other)
        #expect(devices.problems == [] && devices.remarks.count == 1)
        devices.add(try text(two.key), of: two.key.publicKey, by: Self.owner)
        #expect(devices.remarks.count == 1)
        #expect(devices.remarks.first?.contains("is registered for 2 users") == true)
    }

    @Test("what a thief puts in the place of a registration is a problem, and registers nothing")
    func thief() throws {
        let (mine, thief) = (sealed(1), DeviceKey())
        let whole = try text(mine.key)
        let foreign = try SigningKey([UInt8](repeating: 9, count: 32))
        for wrong: String? in [
            nil, "", try text(thief), try text(mine.key, of: Self.other), try text(mine.key, by: foreign),
            whole.replacing("received 2023", with: "received 2022"), String(whole.dropLast()), whole + "\n",
        ] {
            var devices = RegisteredDevices(of: [SampleDevice.serverKey.publicKey])
            devices.add(wrong, of: mine.key.publicKey, by: Self.owner)
            devices.add(try entry(mine, 0))
            #expect(devices.problems.count == 1 && devices.remarks.count == 1, "\(wrong ?? "nothing")")
            #expect(devices.problems.first?.hasSuffix(".") == true)
        }
        // A key that the server had before counts.
        var devices = RegisteredDevices(of: [SampleDevice.serverKey.publicKey, foreign.publicKey])
        devices.add(try text(mine.key, by: foreign), of: mine.key.publicKey, by: Self.owner)
        devices.add(try entry(mine, 0))
        #expect(devices.problems == [] && devices.remarks == [])
    }
}
