import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("The versions that frozen values keep")
struct FrozenVersionTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try Band.file()
        realm = try file.open()
    }

    private func write(_ number: Int) throws {
        try realm.write { realm in realm.create(Band.self, value: ["name": "Band \(number)"]) }
    }

    /// Whether the log can be copied into the file as a whole, because nobody reads an older version.
    private func isUnpinned() throws -> Bool {
        try realm.write { $0.create(Player.self) }
        realm.core.invalidate()
        let connection = try Connection(
            fileURL: try #require(realm.configuration.fileURL),
            isReadOnly: false,
            isDurable: true
        )
        let statement = try connection.prepare("PRAGMA wal_checkpoint(PASSIVE)")
        #expect(try statement.step())
        defer { statement.reset() }
        return statement.int(1) == statement.int(2)
    }

    @Test("one version is kept by one connection, however much of it is frozen")
    func shared() throws {
        let band = try #require(realm.band)
        let (first, second) = (band.freeze(), realm.objects(Player.self).freeze())
        #expect(first.realm?.core === second.realm?.core)
        try write(1)
        #expect(realm.freeze().core !== first.realm?.core)
    }

    @Test("a frozen value keeps its version until it is let go of, also idle")
    func kept() throws {
        var frozen: Band? = try #require(realm.band).freeze()
        #expect(try !isUnpinned())
        #expect(frozen?.rank == 1)
        frozen = nil
        #expect(try isUnpinned())
    }

    @Test("each kind of frozen value keeps its version alone")
    func kinds() throws {
        let band = try #require(realm.band)
        let frozen: [any ThreadConfined] = [
            band.freeze(), band.players.freeze(), band.cities.freeze(), band.fees.freeze(),
            realm.objects(Band.self).freeze(), try #require(band.leader).bands.freeze(), band.songs.sorted().freeze(),
        ]
        try realm.write { $0.deleteAll() }
        #expect(frozen.allSatisfy { $0.isFrozen && !$0.isInvalidated && $0.realm?.band?.rank == 1 })
    }

    @Test("F4: references and thread-safe variables keep no version")
    func references() throws {
        let band = try #require(realm.band)
        let reference = ThreadSafeReference(to: band)
        @ThreadSafe var variable = band.players

        #expect(try isUnpinned())
        #expect(realm.resolve(reference)?.name == "Owls")
        #expect(variable?.count == 2)
    }

    @Test("nothing is pinned by an instance that gave its connection away")
    func givenAway() throws {
        let band = try #require(realm.band)
        #expect(band.rank == 1)
        try writeElsewhere(file) { $0.band?.rank = 2 }
        var frozen: Band? = band.freeze()
        #expect(frozen?.rank == 1)
        #expect(try !isUnpinned())
        frozen = nil
        #expect(try isUnpinned())
    }

    @Test("the file cannot be deleted while something frozen keeps a version")
    func deletingFiles() throws {
        let other = try Band.file()
        var frozen: Band? = try other.withRealm { try #require($0.band).freeze() }
        let error = #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: other.configuration) }
        #expect(error?.code == .alreadyOpen)
        #expect(frozen?.rank == 1)
        frozen = nil
        #expect(try Realm.deleteFiles(for: other.configuration))
    }

    @Test("a frozen realm writes a copy of its version")
    func copy() throws {
        let frozen = realm.freeze()
        try write(1)
        let url = file.folder.appendingPathComponent("copy.realm")
        try frozen.writeCopy(toFile: url, encryptionKey: TemporaryRealm.suiteKey)

        var configuration = file.configuration
        configuration.fileURL = url
        #expect(try Realm(configuration: configuration).objects(Band.self).count == 1)
    }

    // MARK: Limits

    @Test("T12: as many versions as allowed can be active")
    func withinLimit() throws {
        let limited = try TemporaryRealm(Band.types) { $0.maximumNumberOfActiveVersions = 3 }
        let realm = try limited.open()
        try realm.write { $0.create(Band.self, value: ["name": "Owls"]) }
        var frozen: Realm? = realm.freeze()
        for number in 0..<3 { try realm.write { $0.create(Band.self, value: ["name": "\(number)"]) } }
        #expect(frozen?.objects(Band.self).count == 1)

        frozen = nil
        try realm.write { $0.deleteAll() }
        #expect(realm.isEmpty)
    }

    @Test("T12: a version that is frozen for too long ends the process at the next write")
    func beyondLimit() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let limited = try TemporaryRealm(Band.types) { $0.maximumNumberOfActiveVersions = 2 }
            let realm = try limited.open()
            try realm.write { $0.create(Band.self, value: ["name": "Owls"]) }
            let frozen = realm.freeze()
            for number in 0..<3 { try realm.write { $0.create(Band.self, value: ["name": "\(number)"]) } }
            print(frozen)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("3 active versions, from the oldest frozen one to the newest, but"),
            "\(text.prefix(500))"
        )
    }

    @Test("T12: an instance that read nothing yet counts from the newest version that it knows")
    func newInstance() throws {
        let limited = try TemporaryRealm(Band.types) { $0.maximumNumberOfActiveVersions = 3 }
        try onThread {
            let realm = try limited.open()
            for number in 0..<5 { try realm.write { $0.create(Band.self, value: ["name": "\(number)"]) } }
        }
        let frozen = try limited.open().freeze()

        // The file's coordinator may be new as well: the frozen instance alone knows a version then.
        try writeElsewhere(limited) { $0.create(Band.self, value: ["name": "elsewhere"]) }

        #expect(frozen.objects(Band.self).count == 5)
    }

    @Test("T12: what another process committed meanwhile counts, too, although nobody here was told")
    func otherProcess() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let limited = try TemporaryRealm(Band.types) { $0.maximumNumberOfActiveVersions = 2 }
            let realm = try limited.open()
            try realm.write { $0.create(Band.self, value: ["name": "Owls"]) }
            let frozen = realm.freeze()
            // As another process would write: past everything that this one keeps in memory.
            let connection = try Connection(
                fileURL: try #require(limited.configuration.fileURL),
                isReadOnly: false,
                isDurable: true
            )
            for _ in 0..<3 {
                try connection.execute("INSERT INTO \"$changes\" VALUES ((\(ChangeLog.newestVersion)) + 1, x'01')")
            }
            try realm.write { $0.create(Band.self, value: ["name": "late"]) }
            print(frozen)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("active versions, from the oldest frozen one to the newest, but"), "\(text.prefix(500))")
    }
}
