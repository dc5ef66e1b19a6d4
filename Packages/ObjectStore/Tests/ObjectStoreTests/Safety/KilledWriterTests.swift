#if os(Linux)
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("A process that is killed while it writes")
struct KilledWriterTests {
    @Test(
        "at random moments, over and over: what was committed is whole, what was not is gone",
        arguments: 0..<4
    )
    func random(seed: UInt64) async throws {
        let folder = try TemporaryRealm()
        let path = folder.folder.path

        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = path as String, seed = seed as UInt64] in
            var rounds = try KillRounds(folder: path, seed: seed)
            try rounds.run(125)
            // Rounds that never wrote would prove nothing.
            let transactions = rounds.transactions
            #expect(transactions > 125, "seed \(seed): \(transactions)")
        }

        let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!log.contains("failed"), "seed \(seed): \(log)")
    }
}

/// Rounds of one file: a copy of the process writes until it is killed, then the file is looked at.
///
/// It is compared with a second realm that got the same transactions undisturbed.
private struct KillRounds {
    private let configuration: Realm.Configuration
    private let seed: UInt64
    private var generator: SeededGenerator
    private let replica: Realm
    private let replicaDump: FileDump
    /// After what time at most a process is killed, from its start or from the moment when its file is open.
    ///
    /// They follow the speed of the machine: half of the processes die before their first transaction or after it.
    private var openingTime = Duration.milliseconds(5)
    private var writingTime = Duration.milliseconds(20)
    /// How many transactions were found in the file.
    private(set) var transactions = 0

    init(folder: String, seed: UInt64) throws {
        configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(folder)/test.realm"),
            encryptionKey: TemporaryRealm.suiteKey,
            objectTypes: Sample.types
        )
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        replica = try Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: "replica \(seed)", objectTypes: Sample.types)
        )
        replicaDump = try FileDump(replica)
    }

    mutating func run(_ count: Int) throws {
        for round in 0..<count {
            let last = try killWriter(round) ?? transactions
            let isWhole = round.isMultiple(of: 5) || round == count - 1
            try compare(reported: last, round, isWhole)
        }
    }

    /// Lets a copy of the process write until it is killed at any moment of opening the file or of a transaction.
    ///
    /// - Returns: The number of the last transaction whose commit has returned; nil if there was none.
    private mutating func killWriter(_ round: Int) throws -> Int? {
        let diesOpening = generator.below(8) == 0
        let limit = diesOpening ? openingTime : writingTime
        let delay = Duration.nanoseconds(generator.below(Int(limit / .nanoseconds(1))))
        let writer = ForkedProcess { [configuration, seed] parent in
            if diesOpening { try parent.killMe(after: delay) }
            let realm = try Realm(configuration: configuration)
            parent.report(0)
            if !diesOpening { try parent.killMe(after: delay) }
            while true { parent.report(try Self.transact(realm, seed)) }
        }
        var reports: [Int] = []
        while let number = writer.next() { reports.append(number) }
        if diesOpening {
            adapt(&openingTime, isShort: reports.isEmpty)
        } else {
            adapt(&writingTime, isShort: reports.count < 3)
        }
        let ending = writer.finish().ending
        try #require(ending == .killed, "seed \(seed), round \(round), killed after \(delay)")
        return reports.last { $0 > 0 }
    }

    private func adapt(_ time: inout Duration, isShort: Bool) {
        time = isShort ? time * 5 / 4 : max(time * 4 / 5, .microseconds(100))
    }

    /// Makes the transaction that comes after the last one of a realm.
    ///
    /// - Returns: Its number.
    @discardableResult
    private static func transact(_ realm: Realm, _ seed: UInt64) throws -> Int {
        try realm.write {
            let counter = realm.create(Counter.self, value: ["name": "transactions"], update: .modified)
            counter.value += 1
            var changes = RandomChanges(seed: seed << 32 + UInt64(counter.value), realm)
            changes.apply(counter.value % 12 + 1)
            return counter.value
        }
    }

    private mutating func compare(reported: Int, _ round: Int, _ isWhole: Bool) throws {
        let realm = try Realm(configuration: configuration)
        let place = "seed \(seed), round \(round)"
        try realm.core.store.connection.verify()
        let last = realm.object(ofType: Counter.self, forPrimaryKey: "transactions")?.value ?? 0
        // The process may die between a commit and its report.
        try #require(last == reported || last == reported + 1, "\(place): \(last) instead of \(reported)")
        while transactions < last { transactions = try Self.transact(replica, seed) }
        guard isWhole else { return }
        let isSame = try FileDump(realm).lines() == replicaDump.lines()
        try #require(isSame, "\(place): the file differs from its \(last) transactions")
    }
}
#endif
