import Daybook
import Dispatch
import Testing

@Suite("Recording from many threads on the real store")
struct ThreadTests {
    @Test("four threads that read and write at once lose nothing, and each finds its own events in order")
    func fourThreads() throws {
        let recorded = try RecordedRealm(holding: (0..<8).map(Target.init))
        let configuration = recorded.realm.configuration

        let shared = recorded.events.beginScope(activity: "shared")
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            do {
                let realm = try Realm(configuration: configuration)
                let own = realm.events?.beginScope(activity: "thread \(thread)")
                // Two objects in turn, which no other thread touches: no read can be taken for a repeat.
                for index in 0..<100 {
                    let id = 2 * thread + index % 2
                    let target = try #require(realm.object(ofType: Target.self, forPrimaryKey: id))
                    if index % 10 == 9 { try realm.write { target.value = index } }
                }
                own?.commit { #expect($0 == nil) }
            } catch {
                Issue.record(error)
            }
        }
        try recorded.commit(shared)

        let stored = try recorded.stored()
        for activity in ["shared"] + (0..<4).map({ "thread \($0)" }) {
            let events = stored.filter { $0.activity == activity }
            for thread in 0..<4 where activity == "shared" || activity == "thread \(thread)" {
                let own = events.compactMap(\.change).filter { $0.id / 2 == thread }
                #expect(own.filter { !$0.isWrite }.map(\.id) == (0..<100).map { 2 * thread + $0 % 2 })
                #expect(own.filter(\.isWrite).map(\.value) == (0..<10).map { $0 * 10 + 9 })
            }
        }
    }
}

extension AuditEvent {
    /// What an event of the test says: which target, and for a write its new value.
    fileprivate var change: (id: Int, isWrite: Bool, value: Int)? {
        guard let text = dataText, let id = text.firstMatch(of: /"_id":(\d+)/).flatMap({ Int($0.1) }) else {
            return nil
        }
        let value = text.firstMatch(of: /"newValue":{"value":(\d+)}/).flatMap { Int($0.1) }
        return (id, event == "write", value ?? -1)
    }
}
