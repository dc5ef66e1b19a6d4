import Daybook
import Testing

@Suite("Scenarios: writes")
struct WriteScenarioTests {
    private func target(_ id: Int, in realm: Realm) throws -> Target {
        try #require(realm.object(ofType: Target.self, forPrimaryKey: id))
    }

    @Test(
        "Scenario 4: creating an object with linked new targets is one write with the insertions of both classes",
        .tags(.scenario4)
    )
    func create() throws {
        let recorded = try RecordedRealm()

        try recorded.record {
            try recorded.realm.write {
                let holder = Holder.linked()
                holder.note = Note(value: ["value": 1])
                recorded.realm.add(holder)
                holder.note?.value = 2
                holder.list.append(objectsIn: [Target(8), Target(9)])
            }
        }

        let holder = Holder.json(list: "2,3,8,9", note: #"{"value":2}"#)
        // The order of creation: properties in the order of the class.
        let targets = Target.json(1, 2, 3, 4, 5, 6, 7, 8, 9)
        #expect(
            try recorded.lines() == [
                "write {\(change("Holder", insertions: holder)),\(change("Target", insertions: targets))}"
            ]
        )
    }

    @Test(
        "Scenario 5: of a changed property and one that got its old value only the first is in newValue",
        .tags(.scenario5)
    )
    func modify() throws {
        let recorded = try RecordedRealm(holding: [Record.populated(1)])
        let record = try #require(recorded.realm.objects(Record.self).first)

        try recorded.record {
            try recorded.realm.write {
                record.bool = false
                record.int = 3
            }
        }

        let old = #"{"_id":1,"bool":true,\#(Record.populatedRest)}"#
        #expect(try recorded.lines() == [write("Record", modifications: [(#"{"bool":false}"#, old)])])
    }

    @Test("Scenario 6: a deleted object is a deletion with its whole previous state", .tags(.scenario6))
    func delete() throws {
        let recorded = try RecordedRealm(holding: [Record.populated(1)])
        let record = try #require(recorded.realm.objects(Record.self).first)

        try recorded.record { try recorded.realm.write { recorded.realm.delete(record) } }

        #expect(
            try recorded.lines() == [
                write("Record", deletions: #"{"_id":1,"bool":true,\#(Record.populatedRest)}"#)
            ]
        )
    }

    @Test(
        "Scenario 7: a deleted embedded object is a modification of its parent and nothing else",
        .tags(.scenario7)
    )
    func deleteEmbedded() throws {
        let recorded = try RecordedRealm(
            holding: [Holder(value: ["_id": 1, "note": ["value": 5]])],
            EventConfiguration(recordedReads: .handedOut)
        )
        let holder = try #require(recorded.realm.objects(Holder.self).first)

        try recorded.record { try recorded.realm.write { recorded.realm.delete(try #require(holder.note)) } }

        let old = #"{"_id":1,"link":null,"list":[],"map":{},"note":{"value":5},"set":[]}"#
        #expect(try recorded.lines() == [write("Holder", modifications: [(#"{"note":null}"#, old)])])
    }

    @Test("Scenario 8: of mixed operations in one transaction exactly the net changes are reported", .tags(.scenario8))
    func netChanges() throws {
        let recorded = try RecordedRealm(holding: (1...3).map(Target.init))
        let realm = recorded.realm
        let targets = try (1...3).map { try target($0, in: realm) }

        try recorded.record {
            try realm.write {
                targets[0].value = 11
                targets[0].value = 12
                targets[1].value = 21
                realm.delete(targets[1])
                let kept = Target(4)
                realm.add(kept)
                kept.value = 41
                let gone = Target(5)
                realm.add(gone)
                realm.delete(gone)
            }
        }

        #expect(
            try recorded.lines() == [
                write(
                    "Target",
                    deletions: Target.json(2),
                    insertions: #"{"_id":4,"value":41}"#,
                    modifications: [(#"{"value":12}"#, Target.json(1))]
                )
            ]
        )
    }

    @Test("Scenario 9: an empty, a cancelled and an undone transaction make no event", .tags(.scenario9))
    func empty() throws {
        let recorded = try RecordedRealm()
        let realm = recorded.realm

        try recorded.record {
            try realm.write {}
            realm.beginWrite()
            realm.add(Target(1))
            realm.cancelWrite()
            try realm.write {
                let target = Target(2)
                realm.add(target)
                realm.delete(target)
            }
        }

        #expect(try recorded.stored().isEmpty)
    }

    @Test(
        "Scenario 33: a new object that is read before its commit, in a scope that ends before it, makes no event",
        .tags(.scenario33)
    )
    func newObjectRead() throws {
        let recorded = try RecordedRealm()
        let realm = recorded.realm

        realm.beginWrite()
        try recorded.record {
            realm.add(Target(1))
            _ = try target(1, in: realm)
            #expect(realm.objects(Target.self).where { $0.value > 0 }.first?._id == 1)
        }
        try realm.commitWrite()

        #expect(try recorded.stored().isEmpty)
    }

    @Test(
        "Scenario 34: a query in a transaction that matches an old and a new object reports the old one",
        .tags(.scenario34)
    )
    func queryInside() throws {
        let recorded = try RecordedRealm(holding: [Target(1)])
        let realm = recorded.realm

        realm.beginWrite()
        try recorded.record {
            realm.add(Target(2))
            #expect(Array(realm.objects(Target.self).where { $0.value > 0 }).count == 2)
        }
        realm.cancelWrite()

        #expect(try recorded.lines() == [read("Target", Target.json(1))])
    }

    @Test(
        "Scenario 35: an object that is read and deleted in one transaction is a read of its old state, then a write",
        .tags(.scenario35)
    )
    func readAndDelete() throws {
        let recorded = try RecordedRealm(holding: [Target(1)])
        let realm = recorded.realm

        try recorded.record { try realm.write { realm.delete(try target(1, in: realm)) } }

        #expect(
            try recorded.lines() == [read("Target", Target.json(1)), write("Target", deletions: Target.json(1))]
        )
    }

    @Test(
        "Scenario 36: an object that is read after another was deleted in the transaction is not confused with it",
        .tags(.scenario36)
    )
    func readAfterDelete() throws {
        let recorded = try RecordedRealm(holding: [Target(1), Target(2)])
        let realm = recorded.realm
        let first = try target(1, in: realm)

        try recorded.record {
            try realm.write {
                realm.delete(first)
                _ = try target(2, in: realm)
            }
        }

        #expect(
            try recorded.lines() == [read("Target", Target.json(2)), write("Target", deletions: Target.json(1))]
        )
    }

    @Test(
        "Scenario 106: a change inside an embedded object is its class's modification and names the parent",
        .tags(.scenario106)
    )
    func insideEmbedded() throws {
        let recorded = try RecordedRealm(
            holding: [Holder(value: ["_id": 1, "note": ["value": 5]])],
            EventConfiguration(recordedReads: .handedOut)
        )
        let holder = try #require(recorded.realm.objects(Holder.self).first)

        try recorded.record { try recorded.realm.write { holder.note?.value = 6 } }

        #expect(
            try recorded.lines() == [
                #"write {"Note":{"modifications":[{"newValue":{"value":6},"oldValue":{"value":5},"#
                    + #""parent":{"key":1,"type":"Holder"}}]}}"#
            ]
        )
    }

    @Test(
        "Scenario 108: a change of data and of any value's type is seen in newValue, a NaN that nobody touched is not",
        .tags(.scenario108)
    )
    func unseenChanges() throws {
        let record = Record.populated(1)
        record.double = .nan
        record.mixed = .int(1)
        let recorded = try RecordedRealm(holding: [record])
        let managed = try #require(recorded.realm.objects(Record.self).first)

        try recorded.record { try recorded.realm.write { managed.data = Data([9]) } }
        try recorded.record { try recorded.realm.write { managed.mixed = .double(1) } }
        try recorded.record { try recorded.realm.write { managed.decimal = 1.5 } }

        let news = try recorded.lines().map { $0.prefix { $0 != "}" } }
        #expect(
            news == [
                #"write {"Record":{"modifications":[{"newValue":{"data":null"#,
                #"write {"Record":{"modifications":[{"newValue":{"mixed":1.0"#,
                #"write {"Record":{"modifications":[{"newValue":{"decimal":"1.5""#,
            ]
        )
    }

    @Test("an object without a change that was assigned to is a modification with an empty newValue")
    func noChange() throws {
        let recorded = try RecordedRealm(holding: [Target(1)])
        let target = try target(1, in: recorded.realm)

        try recorded.record {
            try recorded.realm.write {
                target.value = 5
                target.value = 10
            }
        }

        #expect(try recorded.lines() == [write("Target", modifications: [("{}", Target.json(1))])])
    }

    @Test("a deleted link target is a deletion and a modification of each object that linked to it")
    func deleteTarget() throws {
        let recorded = try RecordedRealm(holding: [Holder.linked()])
        let realm = recorded.realm
        let targets = try [1, 2, 4].map { try target($0, in: realm) }

        try recorded.record { try realm.write { realm.delete(targets) } }

        let new = #"{"link":null,"list":[3],"map":{"a":null,"b":5}}"#
        #expect(
            try recorded.lines() == [
                "write {\(change("Holder", modifications: [(new, Holder.json())])),"
                    + "\(change("Target", deletions: Target.json(1, 2, 4)))}"
            ]
        )
    }

    @Test("a scope begun inside a transaction has all of it, one that ends inside of it nothing of it")
    func membership() throws {
        let recorded = try RecordedRealm()
        let realm = recorded.realm

        let early = recorded.events.beginScope(activity: "early")
        realm.beginWrite()
        realm.add(Target(1))
        try recorded.commit(early)
        let late = recorded.events.beginScope(activity: "late")
        try realm.commitWrite()
        try recorded.commit(late)

        #expect(try recorded.stored().map(\.activity) == ["late"])
        #expect(try recorded.lines() == [write("Target", insertions: Target.json(1))])
    }
}
