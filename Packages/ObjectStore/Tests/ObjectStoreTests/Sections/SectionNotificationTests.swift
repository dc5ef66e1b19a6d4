import Dispatch
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Notifications of sections")
struct SectionNotificationTests {
    private let place: QueueRealm
    private let told = Log<String>()

    init() throws {
        place = try QueueRealm(try TemporaryRealm(Bale.types))
        try place.write { Bale.fill($0) }
    }

    /// What a handler was called with as text.
    static func text<Collection>(_ change: SectionedResultsChange<Collection>) -> String {
        switch change {
        case .initial: return "initial"
        case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
            func list(_ paths: [IndexPath]) -> String { paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ") }
            return """
                -[\(list(deletions))] +[\(list(insertions))] ~[\(list(modifications))] \
                +\(Array(inserted)) -\(Array(deleted))
                """
        }
    }

    private func observe(keyPaths: [String]? = nil) -> NotificationToken {
        place.run { realm in
            realm.objects(Bale.self).sectioned(by: \.town, sortDescriptors: ["town", "id"])
                .observe(keyPaths: keyPaths) { [told] in told.add(Self.text($0)) }
        }
    }

    @Test("elements come, go, change and move; sections come and go with them")
    func updates() throws {
        let token = observe()
        #expect(told.take() == ["initial"])

        try place.write { $0.add(Bale.make(0, "Graz")) }
        #expect(told.take() == ["-[] +[0.0] ~[] +[] -[]"])

        try place.write { $0.object(ofType: Bale.self, forPrimaryKey: 6)?.weight = 9 }
        #expect(told.take() == ["-[] +[] ~[1.1] +[] -[]"])

        try place.write { $0.object(ofType: Bale.self, forPrimaryKey: 6)?.town = "Wien" }
        #expect(told.take() == ["-[1.1] +[3.1] ~[] +[] -[]"])

        try place.write { $0.add(Bale.make(9, "Kiel")) }
        #expect(told.take() == ["-[] +[1.0] ~[] +[1] -[]"])

        try place.write { realm in realm.delete(realm.objects(Bale.self).where { $0.town == "Wels" }) }
        #expect(told.take() == ["-[3.0] +[] ~[] +[] -[3]"])

        try place.write { $0.add(BaleDepot()) }
        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("chosen properties alone are modifications")
    func keyPaths() throws {
        let token = observe(keyPaths: ["label"])
        let byKeyPath = Log<String>()
        let second = place.run { realm in
            realm.objects(Bale.self).sectioned(by: \.town)
                .observe(keyPaths: [\Bale.label]) { byKeyPath.add(Self.text($0)) }
        }
        _ = (told.take(), byKeyPath.take())

        try place.write { $0.object(ofType: Bale.self, forPrimaryKey: 3)?.weight = 9 }
        #expect(told.take().isEmpty && byKeyPath.take().isEmpty)

        try place.write { $0.object(ofType: Bale.self, forPrimaryKey: 3)?.label = "x" }
        #expect(told.take() == ["-[] +[] ~[3.0] +[] -[]"])
        #expect(byKeyPath.take() == ["-[] +[] ~[3.0] +[] -[]"])
        withExtendedLifetime((token, second)) {}
    }

    @Test("a handler of one section is told of that one, by its index among all")
    func oneSection() throws {
        let token = place.run { realm in
            realm.objects(Bale.self).sectioned(by: \.town, sortDescriptors: ["town", "id"])[1]
                .observe { [told] in told.add(Self.text($0)) }
        }
        #expect(told.take() == ["initial"])

        try place.write { $0.add(Bale.make(0, "Bonn")) }
        #expect(told.take().isEmpty)

        try place.write { realm in
            realm.add(Bale.make(7, "Linz"))
            realm.add(Bale.make(8, "Wien"))
        }
        #expect(told.take() == ["-[] +[2.2] ~[] +[] -[]"])

        try place.write { realm in realm.delete(realm.objects(Bale.self).where { $0.town == "Linz" }) }
        #expect(told.take() == ["-[2.0 2.1 2.2] +[] ~[] +[] -[2]"])

        try place.write { $0.add(Bale.make(1, "Linz")) }
        #expect(told.take() == ["-[] +[2.0] ~[] +[2] -[]"])
        withExtendedLifetime(token) {}
    }

    @Test("a key that depends on a link moves elements when what it links to changes")
    func linkedKey() throws {
        let token = place.run { realm in
            realm.objects(Bale.self)
                .sectioned(by: { $0.depot?.codes.count ?? 0 }, sortDescriptors: ["id"])
                .observe { [told] in told.add(Self.text($0)) }
        }
        _ = told.take()

        try place.write { $0.objects(BaleDepot.self).first?.codes.removeAll() }

        #expect(told.take() == ["-[0.0] +[0.0] ~[] +[] -[0]"])
        withExtendedLifetime(token) {}
    }

    @Test("sections of values are told of what came and went")
    func values() throws {
        let token = try place.run { realm in
            try #require(realm.objects(BaleDepot.self).first).codes.sectioned(by: { String($0.prefix(1)) })
                .observe { [told] in told.add(Self.text($0)) }
        }
        _ = told.take()

        try place.write { realm in
            realm.objects(BaleDepot.self).first?.codes.append(objectsIn: ["a0", "d1"])
            realm.objects(BaleDepot.self).first?.codes.remove(at: 0)
        }

        #expect(told.take() == ["-[1.1] +[0.0 3.0] ~[] +[3] -[]"])
        withExtendedLifetime(token) {}
    }

    @Test("a write can leave a token out")
    func skipping() throws {
        let token = observe()
        _ = told.take()

        try place.write(withoutNotifying: [token]) { $0.add(Bale.make(9, "Kiel")) }
        #expect(told.take().isEmpty)

        try place.write { $0.add(Bale.make(10, "Kiel")) }
        #expect(told.take() == ["-[] +[1.1] ~[] +[] -[]"])
        withExtendedLifetime(token) {}
    }

    @Test("a handler of another queue is given sections of that queue's instance")
    func otherQueue() throws {
        let queue = DispatchQueue(label: "bales")
        // SAFETY: only the queue uses it until that has nothing to do any more.
        nonisolated(unsafe) let told = told
        let token = place.run { realm in
            realm.objects(Bale.self).sectioned(by: \.initial, sortDescriptors: ["town"])
                .observe(on: queue) { told.add(Self.text($0)) }
        }
        // The first turn begins to observe, the second one calls the handler.
        queue.sync {}
        queue.sync {}
        #expect(told.take() == ["initial"])

        try place.write { $0.add(Bale.make(9, "Kiel")) }
        queue.sync {}

        #expect(told.take() == ["-[] +[1.0] ~[] +[1] -[]"])
        withExtendedLifetime(token) {}
    }

    @Test("what a handler is told makes the old sections the new ones", arguments: 0..<30 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let towns = Int.random(in: 1...8, using: &generator)
        let changes = Log<SectionedResultsChange<SectionedResults<String, Bale>>>()
        // By weight, sections move and are scattered.
        let order: [ObjectStore.SortDescriptor] = seed.isMultiple(of: 2) ? ["town", "id"] : ["weight", "id"]
        // What the depot holds would count as a change of the bale that links to it.
        try place.write { $0.deleteAll() }
        let sections = place.run { realm in
            realm.objects(Bale.self).sectioned(by: \.town, sortDescriptors: order)
        }
        let token = place.run { _ in sections.observe { changes.add($0) } }
        _ = changes.take()

        for step in 0..<12 {
            let known = place.run { _ in PlainSections(sections) }
            var touched: Set<Int> = []
            try place.write { realm in
                for _ in 0..<Int.random(in: 1...12, using: &generator) {
                    let id = Int.random(in: 0..<40, using: &generator)
                    let town = "T\(Int.random(in: 0..<towns, using: &generator))"
                    let weight = Int.random(in: 0...5, using: &generator)
                    guard let bale = realm.object(ofType: Bale.self, forPrimaryKey: id) else {
                        realm.add(Bale.make(id, town, weight))
                        continue
                    }
                    touched.insert(id)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: realm.delete(bale)
                    case 1: bale.town = town
                    case 2: bale.weight = weight
                    default: bale.label = town
                    }
                }
            }
            try place.run { _ in
                let now = PlainSections(sections)
                let told = changes.take()
                #expect(told.count <= 1, "seed \(seed), step \(step)")
                guard let change = told.first else {
                    #expect(known == now, "seed \(seed), step \(step)")
                    return
                }
                let applied = known.applying(change)
                #expect(applied == now, "seed \(seed), step \(step)")
                guard case .update(_, let deletions, let insertions, let modifications, _, _) = change else {
                    throw CancellationError()
                }
                #expect(deletions == deletions.sorted() && insertions == insertions.sorted(), "seed \(seed)")
                let modified = modifications.map { known.ids[$0[0]][$0[1]] }
                let wrong = modified.filter { !touched.contains($0) }
                #expect(wrong.isEmpty, "seed \(seed), step \(step)")
                let gone = Set(deletions)
                #expect(modifications.allSatisfy { !gone.contains($0) }, "seed \(seed), step \(step)")
            }
        }
        withExtendedLifetime(token) {}
    }
}
