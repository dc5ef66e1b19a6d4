import Dispatch
import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Instances of one file that come and go on many threads")
struct OpeningRaceTests {
    @Test("are found or not, and one that goes while another thread looks for it stops nobody")
    func comeAndGo() throws {
        let file = try TemporaryRealm([Person.self])
        let kept = try file.open()
        try kept.write { kept.add(Person.numbered(1)) }
        let configuration = file.configuration
        let found = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 2000) { _ in
            do {
                let realm = try Realm(configuration: configuration)
                // Others look for an instance as those that open do, while this one goes.
                for _ in 0..<50 where realm.core.file.anyInstance != nil { found.withLock { $0 += 1 } }
                #expect(realm.objects(Person.self).count == 1)
            } catch {
                Issue.record("The realm cannot be opened: \(error)")
            }
        }
        #expect(found.withLock(\.self) == 2000 * 50)
    }
}
