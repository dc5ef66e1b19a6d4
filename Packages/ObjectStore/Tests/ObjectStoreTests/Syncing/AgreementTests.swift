import ChangeModelTesting
import Testing

@testable import ObjectStore

@Suite("Devices that take each other's changes")
struct AgreementTests {
    #if DEBUG
    static let seeds: ClosedRange<UInt64> = 1...3
    #else
    static let seeds: ClosedRange<UInt64> = 1...20
    #endif

    @Test("hold in the end what the server holds, whatever order things go in", arguments: seeds)
    func agreement(seed: UInt64) throws {
        var devices = try SyncedDevices(count: 2 + Int(seed % 2), seed: seed)
        for _ in 0..<60 { try devices.act() }
        try devices.settle()
        try devices.add(seed: seed)
        try devices.settle()
        for index in devices.devices.indices { #expect(try devices.violations(index) == []) }
        #expect(devices.entries.count > 10)
    }
}
