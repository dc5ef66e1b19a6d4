import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import ObjectQueries
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Correction of the times of pending changes")
struct ClockCorrectionTests {
    /// A file that keeps its changes, by a clock of its own.
    private struct Device {
        let clock = ManualClock()
        let file: TemporaryRealm
        let realm: Realm

        init() throws {
            let clock = clock
            file = try TemporaryRealm([SyncedPerson.self]) {
                $0.keepsChanges = true
                $0.changeClock = clock
            }
            realm = try file.open()
        }

        /// The wall clock in milliseconds.
        var now: Int64 { clock.now().wall.microseconds / 1000 }

        /// A correction by a server whose clock shows so many milliseconds more.
        func correction(_ milliseconds: Int64) -> StampCorrection {
            let reading = clock.now()
            return StampCorrection(serverMilliseconds: now + milliseconds, asked: reading, answered: reading)
        }

        /// Corrects the times.
        ///
        /// - Returns: How many rows were written.
        func correct(_ milliseconds: Int64) throws -> Int64 {
            let count = try realm.core.store.connection.prepare("SELECT total_changes()")
            func written() throws -> Int64 {
                defer { count.reset() }
                return try count.step() ? count.int(0) : -1
            }
            let before = try written()
            try realm.core.writeSyncTables { objects throws(Realm.Error) in
                try SyncStateTable(objects).correctClocks(correction(milliseconds))
            }
            return try written() - before
        }

        func times() throws -> [HybridClock] {
            let store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
            return try store.pendingChanges(after: 0, limit: .max).map { try Change.clock(in: $0.body) }
        }
    }

    @Test("what has its time already is not written, and what was sent keeps the time that it was sent with")
    func unchanged() throws {
        let device = try Device()
        for id in 1...3 {
            try device.realm.write { device.realm.create(SyncedPerson.self, value: ["id": id]) }
            device.clock.advance(microseconds: 1_000_000)
        }
        let made = try device.times()

        #expect(try device.correct(0) == 0)
        #expect(try device.times() == made)

        #expect(try device.correct(60_000) == 3)
        let ahead = try device.times()
        #expect(ahead == made.map { HybridClock(milliseconds: $0.milliseconds + 60_000) })

        try device.realm.core.writeSyncTables { objects throws(Realm.Error) in try SyncStateTable(objects).noteSent(2) }
        #expect(try device.correct(0) == 1)
        // The last one was made before the time that the one before it was sent with, and comes after it all the same.
        #expect(try device.times() == [ahead[0], ahead[1], ahead[1].next])
    }

    @Test("what was taken apart before the correction has the corrected time behind it")
    func takenApart() throws {
        let device = try Device()
        let store = try LiveSyncedStore(device.file.configuration) { Digest.mixing($0) }
        try store.bind(FileBinding(history: .sample(1), file: 1, salt: [1]))
        _ = try store.integrate([entry(1, [.create(given: [:], defaults: [:])], device.now)])
        device.realm.refresh()
        let person = try #require(device.realm.object(ofType: SyncedPerson.self, forPrimaryKey: 1))
        try device.realm.write { person.name = "here" }
        let ageing = ChangeOperation.Action.set("age", .int(40))
        _ = try store.integrate([entry(2, [ageing], device.now)])

        // The device is an hour ahead, so that what somebody else wrote half an hour ago is the later write.
        let hour: Int64 = 3_600_000
        try store.correctClocks(device.correction(-hour))
        _ = try store.integrate([entry(3, [.set("name", .string("there"))], device.now - hour / 2)])

        device.realm.refresh()
        #expect(person.name == "there" && person.age == 40)
    }

    /// What somebody else did to a person.
    private func entry(_ number: Int, _ actions: [ChangeOperation.Action], _ milliseconds: Int64) -> Entry {
        Entry.sample(
            number,
            actions.map { ChangeOperation(.sample(1, of: "SyncedPerson"), $0) },
            clock: HybridClock(milliseconds: milliseconds)
        )
    }
}
