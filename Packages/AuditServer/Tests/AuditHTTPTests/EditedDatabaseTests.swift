import AuditServerTesting
import EventModel
import EventModelTesting
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AuditHTTP
@testable import AuditKeeping
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("What the database shows, against the log")
struct EditedDatabaseTests {
    /// Edits, and words of a finding that each is.
    private static let edits: [(sql: String, words: String)] = [
        // A payload.
        (
            "UPDATE AuditEvent SET data = zeroblob(length(data)) WHERE data IS NOT NULL",
            "the columns of event 1 no longer make up an event"
        ),
        ("UPDATE AuditEvent SET data = NULL WHERE data IS NOT NULL", "event 1 is not what was received"),
        ("UPDATE PayloadKey SET keys = zeroblob(length(keys))", "the columns of event 1 no longer make up an event"),
        // A column of metadata, and others.
        ("UPDATE AuditEvent SET userId = 'eve' WHERE userId = 'ada'", "event 1 is not what was received"),
        ("UPDATE AuditEvent SET userId = NULL WHERE userId = 'ada'", "event 1 is not what was received"),
        ("UPDATE AuditEvent SET activity = 'Nap' WHERE daybook_sequence = 2", "event 2 is not what was received"),
        // An owner: of an event, of a partition, the name of a user, in the log.
        (
            "UPDATE AuditEvent SET daybook_owner = (SELECT max(id) FROM EventOwner) WHERE rowid = 1",
            "the columns of event 1 no longer make up an event"
        ),
        (
            "UPDATE Partition SET owner = (SELECT id FROM EventOwner WHERE user = 'mallory')",
            "it is shown with another app or user than in the log"
        ),
        (
            "UPDATE EventOwner SET user = 'eve' WHERE user = 'mallory'",
            "its device signed for another app or user than it is shown with"
        ),
        (
            "UPDATE PartitionLog SET owner = (SELECT max(id) FROM EventOwner) WHERE position = 0",
            "The root over the log's entries differs from the stored one."
        ),
        // Something is gone.
        ("DELETE FROM AuditEvent WHERE daybook_sequence = 2 AND rowid < 4", "events 2 to 2 are missing"),
        ("DELETE FROM AuditEvent WHERE rowid = 3", "the log has 3 events of it, and 2 are there"),
        (
            "DELETE FROM AuditEvent WHERE rowid < 4; DELETE FROM Partition WHERE rowid = 1",
            "the log has 3 events of it, and it is gone"
        ),
        ("UPDATE Partition SET seal = NULL WHERE rowid = 1", "its seal is in the log, and it is shown as open"),
        ("DELETE FROM PartitionLog WHERE position = 0", "Entry 0 of the log is missing."),
        ("DELETE FROM PartitionLog WHERE position = 1", "it is sealed and not in the log"),
        // Something cannot be read.
        ("UPDATE PartitionLog SET seal = '{}' WHERE position = 0", "Entry 0 of the log cannot be read: it is damaged."),
        ("UPDATE PartitionLog SET seal = '{}' WHERE position = 1", "The log cannot be read:"),
        ("UPDATE Partition SET seal = '{}' WHERE rowid = 2", "what is kept of it is damaged"),
        ("UPDATE Partition SET seal = '{}' WHERE rowid = 1", "A partition cannot be read, and those behind it"),
        // An erasure that nobody ordered.
        ("UPDATE AuditEvent SET data = NULL, daybook_erased = 1 WHERE rowid = 1", "no longer make up an event"),
    ]

    @Test(
        "each edit is a finding, an alert and a warning, survives a restart, and ends when it is put right",
        arguments: edits
    )
    func edit(sql: String, words: String) async throws {
        var database = try await EditedDatabase()
        let running = try database.started()
        try await running.desk.checkEverything()
        #expect(running.desk.sentences == [])
        #expect(running.desk.findings.warnings == [])
        #expect(running.desk.findings.page.last?.sealedPartitions == 2)

        try await database.keep()
        try await database.edit(sql)
        try await running.desk.checkEverything()
        #expect(running.desk.sentences.contains { $0.contains(words) }, "\(running.desk.sentences)")
        // An alert tells of the first thing that is wrong.
        #expect(!running.desk.alertDetails.isEmpty)
        #expect(running.desk.findings.warnings.last == "The console's page Completeness says what is wrong.")
        let count = running.desk.alertDetails.count
        try await running.desk.checkEverything()
        #expect(running.desk.alertDetails.count == count, "each is told once")
        running.desk.keepChecks(isLast: true)

        let restarted = try database.started()
        #expect(restarted.desk.findings.page == running.desk.findings.page)
        #expect(restarted.desk.findings.warnings == running.desk.findings.warnings)

        try await database.repair()
        try await restarted.desk.checkEverything()
        #expect(restarted.desk.sentences == [])
        #expect(restarted.desk.findings.warnings == [])
    }

    @Test("what an administrator erased is no finding, and what somebody else calls erased is one")
    func erasure() async throws {
        var database = try await EditedDatabase()
        let admin = try await database.server.headers(.administrator)
        let filter = #""filter":{"class":"P","key":"p1"}"#
        try await database.server.run { client in
            let preview = try await client.post("/api/v1/erasures/preview", "{\(filter)}", as: admin)
            let count = try preview.decoded(ErasurePreview.self).events
            let order = #"{\#(filter),"reason":"asked","events":\#(count)}"#
            #expect(try await client.post("/api/v1/erasures", order, as: admin).status == .ok)
        }
        let desk = try database.started().desk
        _ = try await desk.catchUp(maximumEvents: 1000)
        try await desk.checkEverything()
        let holding = try await database.server.store.events(
            EventFilter(partition: AlteredSample.device.partition),
            after: nil,
            limit: 1,
            maximumBytes: 1000
        )
        #expect(holding.events.first?.erasure == 1)
        #expect(desk.sentences == [])

        // More is gone than the record says.
        try await database.edit(
            """
            UPDATE ErasedRange SET last = 2 WHERE first = 1;
            UPDATE AuditEvent SET data = NULL, daybook_erased = 1 WHERE rowid = 2
            """
        )
        try await desk.checkEverything()
        #expect(desk.sentences.contains { $0.contains("the events of erasure 1 are not those of its record") })

        // A record that fits what is gone, and of which the trail says nothing.
        let gone = try await database.server.store.ranges(of: 1).result
        let result = #"{"events":\#(gone.events),"digest":"\#(gone.digest)"}"#
        try await database.edit("UPDATE Erasure SET result = '\(result)'")
        try await desk.checkEverything()
        #expect(desk.sentences.contains { $0.contains("the trail says nothing of erasure 1 as it is recorded") })
        #expect(desk.findings.warnings.contains("What is recorded as erased is not what was erased."))
    }
}
