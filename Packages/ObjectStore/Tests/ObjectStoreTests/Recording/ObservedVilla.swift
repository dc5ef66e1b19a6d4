import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting

/// A realm that is observed, with four people and a home that the first of them owns.
struct ObservedVilla {
    let spy: ObserverSpy
    let file: TemporaryRealm
    let realm: Realm

    /// Makes the realm before the gate of its observer opens.
    ///
    /// - Parameters:
    ///   - people: Who lives in the home.
    ///   - details: What else the home has.
    ///   - spy: The observer.
    /// - Throws: What opening the realm and writing to it throw.
    init(people: [Int], _ details: [String: Any], spy: ObserverSpy = ObserverSpy()) throws {
        self.spy = spy
        file = try TemporaryRealm { $0.attachment = spy }
        realm = try file.open()
        try realm.write { realm in
            realm.add((1...4).map(Person.numbered))
            let found = { realm.object(ofType: Person.self, forPrimaryKey: $0 as Int) as Any }
            let home: [String: Any] = ["name": "Villa", "owner": found(1), "people": people.map(found)]
            realm.create(Home.self, value: home.merging(details) { _, detail in detail })
        }
    }

    /// Opens the file again as it would be if the process had been killed now.
    ///
    /// - Parameters:
    ///   - dead: The file; a copy of it and of its log is opened.
    ///   - change: Adjusts the configuration.
    /// - Throws: What copying and opening throw.
    init(asLeftBy dead: TemporaryRealm, _ change: (inout Realm.Configuration) -> Void = { _ in }) throws {
        spy = ObserverSpy()
        file = try TemporaryRealm { [spy] in
            $0.attachment = spy
            change(&$0)
        }
        for name in ["test.realm", "test.realm-wal"] {
            let source = dead.folder.appendingPathComponent(name)
            try FileManager.default.copyItem(at: source, to: file.folder.appendingPathComponent(name))
        }
        realm = try file.open()
    }
}
