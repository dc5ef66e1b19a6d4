import AuditServerTesting
import EventModel
import Foundation
import Testing

@testable import AuditModel
@testable import AuditVerifying

@Suite("Exports of what was erased")
struct ExportErasureTests {
    private static let act = LegalHold.Act(by: "t", at: SampleDevice.received, reason: "r")

    /// A store with two devices, of which two events of the first were erased.
    private static func store() async throws -> InMemoryEventStore {
        let store = try await SampleExport.store()
        let order = ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(objectKey: "p1"))
        let erasure = try await store.begin(order).number
        let places = [1, 5].map { EventAddress(partition: SampleDevice(1).partition, sequence: $0) }
        _ = try await store.erase(places, for: erasure)
        _ = try await store.finish(erasure)
        return store
    }

    @Test("erased events are exported with their hashes alone, every proof holds, and the manifest counts them")
    func erased() async throws {
        let export = try await SampleExport(Self.store())
        let verification = try export.verified(key: export.publicKey)

        #expect(verification.problems == [])
        #expect(verification.remarks.count == 1)
        #expect(verification.remarks.first?.hasPrefix("Of 2 events only the hash is left") == true)
        #expect(verification.events == 18)
        #expect(verification.manifest?.erasedEvents == 2)
        #expect(verification.manifest?.changedEvents == 0)
        let lines = try export.objects("events.jsonl").prefix(5)
        #expect(lines.map { $0["activity"] as? String == nil } == [true, false, false, false, true])
        let own = lines.compactMap { $0["daybook"] as? [String: Any] }
        #expect(own.map { $0["erasure"] as? Int } == [1, nil, nil, nil, 1])
        #expect(own.map { $0["damaged"] as? Bool } == Array(repeating: false, count: 5))
        #expect(try export.objects("events.ocsf.jsonl").first?["status_detail"] as? String == "erased")
        #expect(try export.objects("events.fhir.ndjson").first?["outcome"] as? String == "0")
        #expect(String(decoding: try export.bytes("events.csv"), as: UTF8.self).split(separator: ",erased,").count == 3)
    }

    @Test("a filter by what events say finds no erased one, and one by the partition finds all")
    func filters() async throws {
        let store = try await Self.store()
        for (filter, events, erased) in [
            (EventFilter(objectKey: "p1"), 4, 0), (EventFilter(app: SampleDevice.owner.app), 18, 2),
            (EventFilter(partition: SampleDevice(1).partition), 9, 2), (EventFilter(outcome: .erased), 2, 2),
            (EventFilter(person: SampleDevice.owner.user), 18, 2), (EventFilter(text: "Anna"), 2, 0),
        ] {
            let verification = try await SampleExport(store, filter: filter).verified()
            #expect(verification.problems == [])
            #expect(verification.events == UInt64(events), "\(filter)")
            #expect(verification.manifest?.erasedEvents == UInt64(erased), "\(filter)")
        }
    }

    @Test("somebody who takes an event out of an export and calls it erased is found")
    func forged() async throws {
        let export = try await SampleExport(Self.store())
        let lines = try export.lines("proofs.jsonl")
        let forged = lines.map { line in
            guard line.contains(#""sequence":2"#) else { return line }
            return line.replacing(#/"event":"[0-9a-f]+"/#, with: #""erasure":1,"event":null"#)
        }
        try export.write(Data(forged.map { "\($0)\n" }.joined().utf8), to: "proofs.jsonl")

        let problems = try export.verified().problems

        #expect(problems.contains("manifest.json: it speaks of 2 erased events, and there are 4."))
        #expect(problems.contains { $0.contains("proofs.jsonl: its SHA-256") || $0.contains("proofs.jsonl: it has") })
        #expect(problems.contains { $0.contains("events.jsonl") && $0.contains("does not say what event 2") })
    }
}
