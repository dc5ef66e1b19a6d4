import BenchmarkFloors
import Daybook
import Dispatch
import Foundation
import Synchronization

/// Opens the realm of a turn, in a folder of its own.
///
/// - Parameters:
///   - folder: Where its files go, those with events, too; made if it is missing.
///   - records: Whether events can be recorded.
///   - keepsChanges: Whether the file keeps its changes for a server.
/// - Returns: The realm, empty in a new folder.
/// - Throws: What opening throws.
func openRealm(in folder: URL, records: Bool = false, keepsChanges: Bool = false) throws -> Realm {
    // LIVE: the outermost layer.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = realmConfiguration(in: folder)
    configuration.keepsChanges = keepsChanges
    // The usual logger would write a line for each scope between those of the table.
    if records { configuration.eventConfiguration = EventConfiguration(logger: { _, _ in }) }
    return try Realm(configuration: configuration)
}

/// The file of a turn's realm and its classes.
func realmConfiguration(in folder: URL) -> Realm.Configuration {
    Realm.Configuration(
        fileURL: folder.appending(path: "people.realm"),
        objectTypes: [Person.self, RankedPerson.self, Room.self, Roster.self, Shift.self]
    )
}

/// Opens a realm of classes with many collections.
func openGatherings(in folder: URL) throws -> Realm {
    try Realm(
        configuration: Realm.Configuration(fileURL: folder.appending(path: "gatherings.realm"), objectTypes: gatherings)
    )
}

/// Opens a realm of a hundred classes.
func openWide(in folder: URL) throws -> Realm {
    try Realm(
        configuration: Realm.Configuration(fileURL: folder.appending(path: "wide.realm"), objectTypes: wideClasses)
    )
}

/// Writes people in one transaction.
func fill(_ realm: Realm, with people: ArraySlice<SamplePerson>) throws {
    try realm.write {
        for person in people { realm.add(Person(person)) }
    }
}

/// Begins scopes; there is nothing to record with in a realm that was opened without.
func beginScopes(_ count: Int, of realm: Realm) throws -> [Events.Scope] {
    guard count > 0 else { return [] }
    guard let events = realm.events else { throw BenchError.noEvents }
    return (0..<count).map { events.beginScope(activity: "benchmark \($0)") }
}

/// Commits scopes and blocks the thread, which a realm is bound to, until they are durable.
func commitAndWait(_ scopes: [Events.Scope]) throws {
    let failure = Mutex<(any Error)?>(nil)
    let group = DispatchGroup()
    for scope in scopes {
        group.enter()
        scope.commit { error in
            if let error { failure.withLock { $0 = error } }
            group.leave()
        }
    }
    group.wait()
    if let error = failure.withLock({ $0 }) { throw error }
}

/// Keeps the optimiser from leaving out work whose result nobody looks at.
@inline(never)
func blackHole<T>(_ value: T) {}
