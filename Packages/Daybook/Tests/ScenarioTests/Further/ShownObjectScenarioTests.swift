import Daybook
import Testing

@Suite("What a scope shows")
struct ShownObjectScenarioTests {
    @Test("an object that was got before is an event of each scope that shows it, and of no other one")
    func gotBefore() throws {
        let recorded = try RecordedRealm(holding: [Target(1), Target(2)])
        let target = try #require(recorded.realm.object(ofType: Target.self, forPrimaryKey: 1))
        _ = target.value

        for _ in 0..<2 { try recorded.record { _ = (target.value, target.value) } }
        try recorded.record {}

        let line = read("Target", Target.json(1))
        #expect(try recorded.lines() == [line, line])
    }

    @Test(
        "a parent that was obtained before the scope is shown with its targets, as one that is read in it",
        arguments: ReadVariant.parentInside.dropFirst()
    )
    func parentBefore(variant: ReadVariant) throws {
        let recorded = try RecordedRealm(holding: [Holder.linked()])
        let holder = try #require(recorded.realm.object(ofType: Holder.self, forPrimaryKey: 1))

        try recorded.record { try variant.step(holder) }

        #expect(try recorded.lines() == variant.lines)
    }

    @Test("an object that another writer changes while it is shown is an event with each of the values that were shown")
    func changedWhileShown() throws {
        let recorded = try RecordedRealm(holding: [Target(1)])
        let target = try #require(recorded.realm.object(ofType: Target.self, forPrimaryKey: 1))
        let old = target.value
        let scope = recorded.events.beginScope(activity: "scope")
        _ = target.value

        try OtherInstance(of: recorded.realm)
            .run { realm in
                try realm.write { realm.create(Target.self, value: ["_id": 1, "value": 77], update: .modified) }
            }
        recorded.realm.refresh()
        #expect(target.value == 77)
        try recorded.commit(scope)

        let shown = try recorded.lines().filter { $0.hasPrefix("read") }
        #expect(shown.first?.contains("\(old)") == true)
        #expect(shown.last?.contains("77") == true)
    }

    @Test("with the original's rule an object that was got before leaves no event")
    func handedOut() throws {
        let recorded = try RecordedRealm(holding: [Target(1)], EventConfiguration(recordedReads: .handedOut))
        let target = try #require(recorded.realm.object(ofType: Target.self, forPrimaryKey: 1))

        try recorded.record { _ = target.value }

        #expect(try recorded.lines() == [])
    }

    @Test("a change and what it shows is one event")
    func ownWrite() throws {
        let recorded = try RecordedRealm(holding: [Target(1)])
        let target = try #require(recorded.realm.object(ofType: Target.self, forPrimaryKey: 1))

        try recorded.record {
            try recorded.realm.write { target.value = 9 }
            _ = recorded.realm.object(ofType: Target.self, forPrimaryKey: 1)
        }
        try recorded.record {
            _ = target.value
            try recorded.realm.write { target.value = 10 }
            _ = target.value
        }

        #expect(try recorded.lines().map { $0.prefix(5) } == ["write", "read ", "read ", "write"])
    }
}
