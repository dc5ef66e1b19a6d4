import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Damaged logs")
struct DamagedLogTests {
    /// A file with ten objects, and the log of ten transactions that add one each.
    private let file: Data
    private let log: Data

    init() throws {
        (file, log) = try Self.files(of: (0..<10), then: 10..<20)
    }

    private static func files(of first: Range<Int>, then second: Range<Int>) throws -> (file: Data, log: Data) {
        let folder = try TemporaryRealm()
        let url = try #require(folder.configuration.fileURL)
        do {
            let realm = try folder.open()
            try realm.write { realm.add(first.map(Person.numbered)) }
        }
        let realm = try folder.open()
        for number in second { try realm.write { realm.add(Person.numbered(number)) } }
        return try (Data(contentsOf: url), Data(contentsOf: URL(fileURLWithPath: "\(url.path)-wal")))
    }

    private static func ids(_ realm: Realm) -> [String] {
        realm.objects(Person.self).map { "\($0._id)" }
    }

    /// The ids after each of the transactions in the log.
    private let states = (10...20).map { count in (0..<count).map { "\($0)" } }

    @Test("an undamaged log has all transactions, and without it there are those of the file")
    func whole() throws {
        #expect(try DamagedRealm.outcome(file, log: log, Self.ids).contents == states.last)
        #expect(try DamagedRealm.outcome(file, Self.ids).contents == states.first)
    }

    @Test("a log that was cut off has whole transactions, from the first on")
    func truncated() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<30 {
            let outcome = try DamagedRealm.outcome(file, log: log.prefix(generator.below(log.count)), Self.ids)

            #expect(states.contains(try #require(outcome.contents)))
        }
    }

    @Test("a changed byte ends the log there: no transaction is ever in part", arguments: 0..<10)
    func changed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5 {
            var log = log
            log[generator.below(log.count)] ^= UInt8(1 + generator.below(255))

            let outcome = try DamagedRealm.outcome(file, log: log, Self.ids)

            #expect(states.contains(try #require(outcome.contents)), "seed \(seed)")
        }
    }

    @Test("the log of another file does not end the process")
    func foreign() throws {
        let other = try Self.files(of: 100..<400, then: 400..<410)

        let outcome = try DamagedRealm.outcome(file, log: other.log, verifies: true, Self.ids)

        // Nothing in the format ties a log to its file; only what does not fit together can be found.
        if let error = outcome.error { #expect(error.code == .invalidDatabase) }
    }

    @Test("noise in place of a log is no log")
    func noise() throws {
        var generator = SeededGenerator(seed: 9)
        let noise = Data((0..<20_000).map { _ in UInt8(generator.below(256)) })

        #expect(try DamagedRealm.outcome(file, log: noise, Self.ids).contents == states.first)
    }
}
