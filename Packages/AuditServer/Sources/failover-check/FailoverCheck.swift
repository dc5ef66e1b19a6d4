import ArgumentParser
import AuditHTTP
import AuditModel
import AuditVerifying
import EventModel
import EventProofs
import Foundation
import PostgreSQLStore

/// Uploads to a cluster whose primary is killed again and again, and checks that nothing acknowledged is lost.
///
/// `Tools/cluster` starts the cluster and calls it. Each check is a line that begins with `ok` or `FAILED`.
@main
struct FailoverCheck: AsyncParsableCommand {
    /// How long uploads may stand still after a kill.
    private static let limit = Duration.seconds(10)
    private static let senderCount: UInt32 = 4

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "failover-check",
            abstract: "Kills the primary of a cluster under load and checks that no acknowledged event is missing."
        )
    }

    @Option(help: "The folder of the cluster that Tools/cluster started.")
    var folder: String

    @Option(help: "The first port of the cluster.")
    var port: Int

    @Option(help: "How often the primary is killed.")
    var kills: Int

    func run() async throws {
        let cluster = PatroniCluster(folder: folder, firstPort: port)
        try await cluster.waitUntilWhole()
        let store = try await PostgreSQLEventStore(PostgreSQLConfiguration(address: cluster.address))
        let promises = Promises()
        say("The cluster is whole; \(Self.senderCount) devices upload.")

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...Self.senderCount {
                group.addTask { try await Sender(number: number, store: store, promises: promises).run() }
            }
            for number in 1...max(1, kills) {
                say(try await kill(number, in: cluster, store, promises))
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        say(try await audit(store, promises))
        say(try await auditLog(store, promises))
        for problem in promises.problems { say("FAILED \(problem)") }
    }

    /// Kills the primary once and returns what came of it.
    private func kill(
        _ number: Int,
        in cluster: PatroniCluster,
        _ store: PostgreSQLEventStore,
        _ promises: Promises
    ) async throws -> String {
        let clock = ContinuousClock()
        try await cluster.waitUntilWhole()
        // Under load means that uploads of all devices are under way.
        let before = promises.count
        while promises.count < before + 20 { try await Task.sleep(for: .milliseconds(20)) }

        let killed = clock.now
        let victim = try await cluster.killLeader()
        let answered = try await promises.firstAnswer(toAttemptsAfter: clock.now)
        let pause = answered - killed
        let missing = try await missing(store, promises)
        try cluster.start(victim)
        try await cluster.waitUntilWhole()
        let rejoined = clock.now - killed

        let leader = try await cluster.leader()?.name ?? "nobody"
        let story = "kill \(number): \(victim) to \(leader) in \(seconds(pause)) s, whole after \(seconds(rejoined)) s"
        if let first = missing.first { return "FAILED \(story); \(missing.count) partitions lack events: \(first)" }
        if pause > Self.limit { return "FAILED \(story); the limit is \(seconds(Self.limit)) s" }
        return "ok \(story)"
    }

    /// Returns the partitions that hold less than was acknowledged.
    private func missing(_ store: PostgreSQLEventStore, _ promises: Promises) async throws -> [String] {
        let promised = promises.all
        var stored: [PartitionID: PartitionRecord] = [:]
        var last: PartitionID?
        repeat {
            let page = try await answer { [last] in try await store.partitions(after: last, limit: 1000) }
            for record in page { stored[record.partition] = record }
            last = page.last?.partition
        } while last != nil
        return promised.compactMap { partition, proof in
            let record = stored[partition]
            guard let record, record.count >= proof.durableThrough else {
                return "\(partition) has \(record?.count ?? 0) of \(proof.durableThrough)"
            }
            if record.count == proof.durableThrough && record.root != proof.root {
                return "\(partition) has another root"
            }
            return proof.isSealed && record.seal == nil ? "\(partition) has no seal" : nil
        }
    }

    /// Asks as an auditor does: again, for half a minute, while the new primary may turn readers away.
    func answer<T: Sendable>(_ question: @Sendable () async throws -> T) async throws -> T {
        let end = ContinuousClock.now + .seconds(30)
        while true {
            do {
                return try await question()
            } catch AuditServerError.unavailable where ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Recomputes every tree from the events and compares it with what was acknowledged.
    private func audit(_ store: PostgreSQLEventStore, _ promises: Promises) async throws -> String {
        var problems: [String] = []
        var count: UInt64 = 0
        let promised = promises.all
        for (partition, proof) in promised {
            var audit = PartitionAudit(partition: partition)
            var cursor: EventCursor?
            repeat {
                let page = try await answer { [cursor] in
                    try await store.events(
                        EventFilter(partition: partition, includesRepeated: true),
                        after: cursor,
                        limit: 1000,
                        maximumBytes: 1 << 20
                    )
                }
                for stored in page.events {
                    audit.add(StoredLeaf(stored))
                    if audit.count == proof.durableThrough && audit.frontier.root != proof.root {
                        audit.report("the acknowledged root was another one")
                    }
                }
                cursor = page.next
            } while cursor != nil
            if audit.count < proof.durableThrough { audit.report("events that were acknowledged are missing") }
            if let record = try await answer({ try await store.partition(partition) }) {
                audit.finish(count: record.count, root: record.root, seal: record.seal)
            }
            problems += audit.problems
            count += proof.durableThrough
        }
        let story = "audit: \(count) acknowledged events in \(promised.count) partitions"
        return problems.first.map { "FAILED \(story); \(problems.count) problems: \($0)" } ?? "ok \(story) are there"
    }

    /// Writes a line at once, because somebody watches.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private func seconds(_ duration: Duration) -> String {
        let tenths = duration.components.seconds * 10 + duration.components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
