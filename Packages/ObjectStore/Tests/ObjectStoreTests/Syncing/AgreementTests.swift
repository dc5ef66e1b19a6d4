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

    /// The last one once had two neighbours of a list corrected in the wrong order.
    #if DEBUG
    static let collectionSeeds = Array(1...120) + [186] as [UInt64]
    #else
    static let collectionSeeds = Array(1...400) as [UInt64]
    #endif

    @Test(
        "have the same in one collection, however often each does several things to it at once",
        arguments: collectionSeeds
    )
    func collections(seed: UInt64) throws {
        let elements = SyncedDevices.Elements.allCases[Int(seed / 2 % 6)]
        var devices = try SyncedDevices(count: 2 + Int(seed % 2), seed: seed)
        for _ in 0..<3 { try devices.edit(elements, on: 0) }
        try devices.settle()
        // The object that has the collection goes, too, and begins anew with the next edit.
        let deletesHolder = seed / 12 % 2 == 0
        for _ in 0..<40 { try devices.act(on: elements, deletesHolder: deletesHolder) }
        try devices.settle()
        for index in devices.devices.indices { #expect(try devices.violations(index) == []) }
        let orders = try devices.devices.map { device in
            try RealmContents(device.program.realm).condensed
        }
        #expect(orders.allSatisfy { $0 == orders[0] })
    }

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

    @Test(
        "have the same in one collection, also those that were away for longer than the log is kept",
        arguments: collectionSeeds.prefix(collectionSeeds.count / 2)
    )
    func snapshotsOfCollections(seed: UInt64) throws {
        let elements = SyncedDevices.Elements.allCases[Int(seed / 2 % 6)]
        var devices = try SyncedDevices(count: 2 + Int(seed % 2), seed: seed &+ 1000)
        for _ in 0..<3 { try devices.edit(elements, on: 0) }
        for _ in 0..<40 {
            try devices.act(on: elements, deletesHolder: seed / 12 % 2 == 0)
            try devices.takeSnapshotSometimes()
        }
        try devices.settle()
        for index in devices.devices.indices { #expect(try devices.violations(index) == []) }
        let orders = try devices.devices.map { try RealmContents($0.program.realm).condensed }
        #expect(orders.allSatisfy { $0 == orders[0] })
    }

    @Test(
        "hold in the end what the server holds, also those that were away for longer than the log is kept",
        arguments: seeds
    )
    func snapshots(seed: UInt64) throws {
        var devices = try SyncedDevices(count: 2 + Int(seed % 2), seed: seed &+ 1000)
        for _ in 0..<60 {
            try devices.act()
            try devices.takeSnapshotSometimes()
        }
        try devices.settle()
        for index in devices.devices.indices { #expect(try devices.violations(index) == []) }
    }
}
