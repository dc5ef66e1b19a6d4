import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@testable import AuditModel
@testable import SQLiteStore

@Suite("Names in the search index")
struct NameSearchTests {
    private static let labels: ObjectLabels = {
        let person = try? LabelTemplate("{family}, {given}")
        let labels = ClassLabels(person.map { [ExactText("Patient"): $0] } ?? [:])
        return ObjectLabels(apps: ["ward-app": labels, "lab": labels])
    }()

    private static func read(_ key: String, _ family: String, _ given: String) -> String {
        #"{"type":"Patient","value":[{"_id":"\#(key)","family":"\#(family)","given":"\#(given)"}]}"#
    }

    private static func index(
        _ store: any EventReading,
        path: String? = nil,
        _ labels: ObjectLabels = labels
    ) async throws -> SearchIndex {
        let index = try SearchIndex(path: path)
        try index.show(by: .none, labels)
        #expect(try await index.refresh(from: store))
        return index
    }

    private static func store(_ people: [(key: String, family: String, given: String)]) async throws
        -> (InMemoryEventStore, SampleDevice)
    {
        let store = InMemoryEventStore()
        var device = SampleDevice()
        for (key, family, given) in people {
            device.record(device.event("Rounds", data: read(key, family, given)))
        }
        _ = try await store.accept(device.upload(1...people.count))
        return (store, device)
    }

    private static let people = [
        ("p1", "Müller", "Anna"), ("p2", "Mueller", "Jörg"), ("p3", "Muller", "Ann"), ("p1", "Müller", "Anna"),
        ("p4", "Anna", "Maria"), ("p5", "O'Neill", "Seán"), ("p1", "Müller-Weiß", "Anna"),
    ]

    private func names(_ text: String, in index: SearchIndex, limit: Int = 10) async throws -> [String] {
        try await index.names(.words(text), limit: limit, .all, clock: ManualClock()).names
            .map { "\($0.key) \($0.label)" }
    }

    @Test(
        "objects are found by the beginnings of words, in any order, without case and accents",
        arguments: [
            ("müller anna", ["p1 Müller, Anna", "p1 Müller-Weiß, Anna"]),
            ("ANN mul", ["p3 Muller, Ann", "p1 Müller, Anna", "p1 Müller-Weiß, Anna"]),
            ("muel", ["p1 Müller, Anna", "p2 Mueller, Jörg", "p1 Müller-Weiß, Anna"]), ("jorg", ["p2 Mueller, Jörg"]),
            ("anna", ["p1 Müller, Anna", "p4 Anna, Maria", "p1 Müller-Weiß, Anna"]), ("oneill", ["p5 O'Neill, Seán"]),
            ("weiss", ["p1 Müller-Weiß, Anna"]), ("sean o", ["p5 O'Neill, Seán"]), ("uller", []), ("anna nobody", []),
            (" ,", []),
        ] as [(String, [String])]
    )
    func words(text: String, found: [String]) async throws {
        let (store, _) = try await Self.store(Self.people)
        let index = try await Self.index(store)
        let names = try await names(text, in: index)
        #expect(Set(names) == Set(found), "\(names)")
        #expect(names.first == found.first, "whole words come first, then what most events have")
    }

    @Test("an object's names are told with how often and when they were seen last, the newest first")
    func object() async throws {
        let (store, device) = try await Self.store(Self.people)
        let index = try await Self.index(store)
        let found = try await index.names(
            .object(objectClass: "Patient", key: "p1"),
            limit: 10,
            .all,
            clock: ManualClock()
        )
        #expect(found.isWhole)
        #expect(found.names.map(\.label) == ["Müller-Weiß, Anna", "Müller, Anna"])
        #expect(found.names.map(\.events) == [1, 2])
        #expect(found.names.map(\.lastSeen) == [device.events[6].timestamp, device.events[3].timestamp])
        #expect(found.names.allSatisfy { $0.app == "ward-app" && $0.objectClass == "Patient" && $0.key == "p1" })
        for (objectClass, key) in [
            ("Patient", "p"), ("Patient", "p11"), ("Pat", "p1"), ("Visit", "p1"), ("Patient", ""),
        ] {
            let none = try await index.names(
                .object(objectClass: objectClass, key: key),
                limit: 10,
                .all,
                clock: ManualClock()
            )
            #expect(none.names.isEmpty)
        }
    }

    @Test("whoever may read a part of the events is told its names alone, and not how often others saw them")
    func access() async throws {
        let store = InMemoryEventStore()
        var (own, foreign) = (SampleDevice(1, prefix: "userId=own"), SampleDevice(2, prefix: "userId=other"))
        own.record(own.event("a", data: Self.read("p1", "Both", "Seen")))
        foreign.record(foreign.event("a", data: Self.read("p1", "Both", "Seen")))
        foreign.record(foreign.event("a", data: Self.read("p2", "Both", "Hidden")))
        _ = try await store.accept(own.upload(1...1))
        _ = try await store.accept(foreign.upload(1...2))
        var lab = SampleDevice(3)
        lab.record(lab.event("a", data: Self.read("p3", "Both", "Elsewhere")))
        _ = try await store.accept(lab.upload(1...1, owner: EventOwner(app: "lab", user: "u")))
        let index = try await Self.index(store)
        func found(_ access: EventAccess, _ question: NameQuestion = .words("both")) async throws -> [FoundName] {
            try await index.names(question, limit: 10, access, clock: ManualClock()).names
        }

        #expect(Set(try await found(.all).map(\.key)) == ["p1", "p2", "p3"])
        #expect(try await found(.all).filter { $0.key == "p1" }.map(\.events) == [2])
        let part = EventAccess(apps: ["ward-app"], prefixes: ["ward-app": [try PrefixPattern("userId=own")]])
        let told = try await found(part)
        #expect(told.map(\.key) == ["p1"])
        #expect(told.map(\.events) == [nil])
        #expect(told.map(\.lastSeen) == [own.events[0].timestamp])
        #expect(try await found(part, .object(objectClass: "Patient", key: "p2")).isEmpty)
        #expect(try await found(EventAccess(apps: ["lab"])).map(\.key) == ["p3"])
    }

    @Test("names that no event has any more are forgotten, in the file, too")
    func forgotten() async throws {
        let folder = try TestFolder.made()
        let (store, device) = try await Self.store([
            ("p1", "Zqsecret", "Anna"), ("p2", "Kept", "Anna"), ("p3", "Zqsecret", "Eva"),
        ])
        let path = folder.file("search")
        let index = try await Self.index(store, path: path)
        #expect(try await names("zqs", in: index).count == 2)
        let act = LegalHold.Act(by: "a", at: SampleDevice.received, reason: "r")
        let erasure =
            try await store.begin(ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(activity: "Rounds")))
            .number
        let places = [1, 3].map { EventAddress(partition: device.partition, sequence: $0) }
        _ = try await store.erase(places, for: erasure)
        _ = try await store.finish(erasure)
        #expect(try await index.refresh(from: store))

        #expect(try await names("zqs", in: index).isEmpty)
        #expect(try await names("anna", in: index) == ["p2 Kept, Anna"])
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            let text = String(decoding: try Data(contentsOf: URL(filePath: path + suffix)), as: UTF8.self)
            #expect(text.lowercased().firstRange(of: "zqsecret") == nil, "\(suffix)")
        }
    }

    @Test("other labels empty the index, and the same ones leave it as it is")
    func changed() async throws {
        let folder = try TestFolder.made()
        let (store, _) = try await Self.store(Self.people)
        let path = folder.file("search")
        let generation = try await Self.index(store, path: path).generation()
        #expect(try await Self.index(store, path: path).generation() == generation)

        let masks = EventMasks(apps: [
            "ward-app": EventMask([try MaskedField("Patient.a"), try MaskedField("Patient.b")])
        ])
        let masked = try SearchIndex(path: path)
        try masked.show(by: masks, Self.labels)
        let maskedGeneration = try await masked.generation()
        #expect(maskedGeneration != generation)
        try masked.show(by: masks, Self.labels)
        #expect(try await masked.generation() == maskedGeneration, "who masks starts without filling the index anew")

        let given = ObjectLabels(apps: [:], others: ClassLabels([ExactText("Patient"): try LabelTemplate("{given}")]))
        let other = try await Self.index(store, path: path, given)
        #expect(try await other.generation() != generation)
        #expect(try await names("muller", in: other).isEmpty)
        #expect(Set(try await names("ann", in: other)) == ["p1 Anna", "p3 Ann"])
        let none = try await Self.index(store, path: path, .none)
        #expect(try await names("ann", in: none).isEmpty)
    }

    @Test("odd keys and long names lie in their terms, or in none, and name nobody else")
    func odd() async throws {
        let long = String(repeating: "ß", count: 119)
        let key = String(repeating: "k", count: 300)
        let (store, _) = try await Self.store([
            ("a\\u0000b", "Zero", "Key"), (key, "Long", "Key"), (String(key.prefix(140)), long, "Cut"),
            ("a", "Plain", "Key"),
        ])
        let index = try await Self.index(store)
        #expect(try await names("key", in: index) == ["a Plain, Key"])
        let cut = try await names("ssss", in: index)
        #expect(cut.count == 1 && cut[0].unicodeScalars.allSatisfy { $0 != "\u{FFFD}" })
    }

    @Test(
        "of a beginning that very many names have it is told that there are more, and with another word they are found"
    )
    func many() async throws {
        let store = InMemoryEventStore()
        var device = SampleDevice()
        for start in [0, 4_000, 8_000] {
            let objects = (start..<(start + 4_000)).map { #"{"_id":"p\#($0)","family":"Person","given":"\#($0)"}"# }
            device.record(device.event("a", data: #"{"type":"Patient","value":[\#(objects.joined(separator: ","))]}"#))
        }
        _ = try await store.accept(device.upload(1...3))
        let index = try await Self.index(store)
        func found(_ text: String) async throws -> FoundNames {
            try await index.names(.words(text), limit: 20, .all, clock: ManualClock())
        }

        let broad = try await found("pers")
        #expect(broad.names.count == 20 && !broad.isWhole)
        for text in ["pers 1199", "1199 PERSON"] {
            let narrow = try await found(text)
            #expect(Set(narrow.names.map(\.key)) == Set(["p1199"] + (11_990...11_999).map { "p\($0)" }))
            #expect(narrow.names.first?.key == "p1199" && narrow.isWhole)
        }
    }

    @Test("what the index finds is what a comparison with every name finds, whatever the names are", arguments: 0..<20)
    func random(seed: UInt64) async throws {
        var numbers = SeededGenerator(seed: seed)
        let parts = ["an", "na", "mü", "ue", "l", "ß", "ø", "ma", "ria", "o'", "-", " ", "b"]
        func word() -> String {
            (0..<Int.random(in: 1...4, using: &numbers)).map { _ in parts.randomElement(using: &numbers) ?? "" }
                .joined()
        }
        let people = (0..<60).map { (key: "p\($0)", family: word(), given: word()) }
        let (store, _) = try await Self.store(people)
        let index = try await Self.index(store)
        for _ in 0..<30 {
            let text = "\(word()) \(word().prefix(2))"
            let asked = FoldedWord.all(in: text)
            let expected = people.filter { person in
                let own = FoldedWord.all(in: "\(person.family) \(person.given)")
                return !asked.isEmpty && asked.allSatisfy { word in own.contains { word.begins($0) } }
            }
            let found = try await index.names(.words(text), limit: 100, .all, clock: ManualClock())
            #expect(Set(found.names.map(\.key)) == Set(expected.map(\.key)), "\(text)")
        }
    }
}
