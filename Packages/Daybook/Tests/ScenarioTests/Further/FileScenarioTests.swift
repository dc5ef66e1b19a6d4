import Daybook
import Dispatch
import ObjectStoreTesting
import Testing

@Suite("Scenarios: event files")
struct FileScenarioTests {
    @Test("Scenario 98: roll-over keeps payload and metadata of every event, in order", .tags(.scenario98))
    func rollOver() throws {
        let recorded = try RecordedRealm(
            recording: InjectedRecording(limits: PartitionLimits(partitionBytes: 4096))
        )
        let realm = recorded.realm
        try realm.write { realm.add((1...10).map(Target.init)) }

        for number in 1...50 {
            recorded.events.updateMetadata(["number": "\(number)", "only \(number)": "x"])
            try recorded.record("scope \(number)") {
                _ = realm.objects(Target.self).where { $0.value > 0 }.first
            }
        }

        let stored = try recorded.stored()
        let lines = try recorded.lines()
        #expect(try recorded.fileCount() > 3)
        #expect(stored.map(\.activity) == (1...50).map { "scope \($0)" })
        #expect(stored.map(\.metadata.dictionary) == (1...50).map { ["number": "\($0)", "only \($0)": "x"] })
        #expect(lines.allSatisfy { $0 == read("Target", Target.json(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)) })
        for path in try PartitionFiles.find(below: recorded.file.folder.path) {
            #expect(try PartitionFiles.verify(path).problems.isEmpty)
        }
    }

    @Test("Scenario 102: two realms that record into one folder at once lose nothing", .tags(.scenario102))
    func twoStores() throws {
        let shared = try TemporaryRealm(Record.types)
        let configuration = EventConfiguration(directory: shared.folder.path)

        DispatchQueue.concurrentPerform(iterations: 2) { store in
            do {
                let recorded = try RecordedRealm(holding: [Target(store)], configuration)
                for number in 0..<100 {
                    let scope = recorded.events.beginScope(activity: "\(store)")
                    _ = recorded.realm.object(ofType: Target.self, forPrimaryKey: store)
                    scope.commit { error in #expect(error == nil) }
                    recorded.events.recordEvent(activity: "\(store)", data: "\(number)") { #expect($0 == nil) }
                }
                recorded.recorder.waitUntilIdle()
            } catch {
                Issue.record(error)
            }
        }

        let events = try RecordedFiles(below: shared.folder.path).events
        for store in 0..<2 {
            let own = events.filter { $0.activity == "\(store)" }
            #expect(own.count == 200)
            #expect(own.compactMap { $0.event == nil ? $0.dataText : nil } == (0..<100).map { "\($0)" })
        }
        #expect(Set(events.map(\.id)).count == 400)
    }

    @Test(
        "Scenario 110: an event that cannot be stored is an error, and the rest of its scope is stored",
        .tags(.scenario110)
    )
    func partialResult() throws {
        let recorded = try RecordedRealm(
            recording: InjectedRecording(limits: PartitionLimits(eventBytes: 1000))
        )
        let realm = recorded.realm
        let record = Record()
        record._id = 1
        record.string = String(repeating: "x", count: 1000)
        try realm.write { realm.add([record, Target(1)]) }

        #expect(throws: RecordingError.self) {
            try recorded.record {
                _ = realm.object(ofType: Target.self, forPrimaryKey: 1)
                _ = realm.object(ofType: Record.self, forPrimaryKey: 1)
                try realm.write { realm.add(Target(2)) }
            }
        }

        #expect(
            try recorded.lines() == [read("Target", Target.json(1)), write("Target", insertions: Target.json(2))]
        )
    }

    @Test(
        "Scenario 111: beside the event files there are only locks, the device's key and index, and room for losses",
        .tags(.scenario111)
    )
    func companions() throws {
        let recorded = try RecordedRealm()
        try recorded.recordEvent("event")

        let folder = "\(recorded.file.folder.path)/realm-audit"
        let id = try PartitionFileReader(#require(PartitionFiles.find(below: folder).first)).partition.id
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .map { $0.replacingOccurrences(of: id.stringValue, with: "ID") }
            .map { $0.hasSuffix(".ledger") ? "local/local/events/OTHER.ledger" : $0 }
            .sorted()

        #expect(
            names.filter { !$0.hasPrefix("local") } == [
                "device.index", "device.index.lock", "device.key", "device.key.lock",
            ]
        )
        #expect(
            names.filter { $0.hasPrefix("local/local/events/") } == [
                "local/local/events/.claims", "local/local/events/.lock", "local/local/events/ID.events",
                "local/local/events/OTHER.ledger",
            ]
        )
    }
}
