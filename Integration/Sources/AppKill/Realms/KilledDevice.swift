import Daybook
import EventModelTesting
public import Foundation

/// A device of the loop of realms: it writes to a realm that syncs, until it is killed.
///
/// Each of its transactions leaves four traces: an object, an element of a list and one more in a counter, both shared by all
/// devices, and an object that goes up and is on no device. What it says on its standard output is for ``RealmKillLoop``.
@MainActor
public struct KilledDevice {
    /// One transaction.
    final class Trace: Object {
        @Persisted(primaryKey: true) var _id: String
        @Persisted var edits: Int
    }

    /// One transaction, as the server alone has it.
    final class Posting: AsymmetricObject {
        @Persisted(primaryKey: true) var _id: String
    }

    /// What all transactions of all devices change.
    final class Tally: Object {
        @Persisted(primaryKey: true) var _id: Int
        @Persisted var count: Int
        @Persisted var lines: List<String>
    }

    /// The key of the one tally.
    private static let tally = 1

    private let app: App

    /// Names the device.
    ///
    /// - Parameters:
    ///   - folder: Where it keeps everything.
    ///   - url: The server.
    public init(folder: URL, url: String) {
        app = App(
            id: "killed",
            configuration: AppConfiguration(baseURL: url, rootDirectory: folder.path, syncsRealms: true)
        )
    }

    /// Writes until the process is killed.
    ///
    /// It says `done` behind each transaction that is durable, and `sent` where the server has all of them.
    ///
    /// - Parameters:
    ///   - life: Which process of the loop this is.
    ///   - seed: Decides what it writes.
    /// - Throws: What opening a realm throws, a commit that fails, and a session that ends.
    public func live(_ life: Int, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let realm = try await open(.never)
        var number = 0
        while true {
            number += 1
            let key = "\(life).\(number)"
            let place = Int.random(in: 0...3, using: &random)
            try realm.write {
                realm.add(Trace(value: ["_id": key]))
                realm.create(Posting.self, value: ["_id": key])
                let tally = realm.create(Tally.self, value: ["_id": Self.tally], update: .modified)
                tally.increment(\.count, by: 1)
                tally.lines.insert(key, at: min(place, tally.lines.count))
                // An object of any device, so that there is something to decide between.
                if let edited = realm.objects(Trace.self).first { edited.increment(\.edits, by: 1) }
            }
            say("done \(key)")
            if Int.random(in: 0..<8, using: &random) == 0 {
                try await realm.syncSession?.wait(for: .upload)
                say("sent \(key)")
            }
        }
    }

    /// Opens what the killed ones have left, sends all of it, gets all of the others', and says what is in the realm.
    ///
    /// - Throws: What opening a realm throws, and a session that ends.
    public func settle() async throws {
        let realm = try await open(.once)
        try await realm.syncSession?.wait(for: .upload)
        try await realm.syncSession?.wait(for: .download)
        realm.refresh()
        for trace in realm.objects(Trace.self).sorted(byKeyPath: "_id") { say("trace \(trace._id) \(trace.edits)") }
        let tally = realm.object(ofType: Tally.self, forPrimaryKey: Self.tally)
        for line in tally.map({ Array($0.lines) }) ?? [] { say("line \(line)") }
        say("count \(tally?.count ?? 0)")
        say("position \(realm.syncSession?.position ?? 0)")
    }

    private func open(_ behavior: OpenBehavior) async throws -> Realm {
        // A server that crashes meanwhile is none of a device's business.
        let user = if let known = app.currentUser { known } else { try await app.login(credentials: .anonymous) }
        user.syncManager.errorHandler = { error, _ in say("error \(error)") }
        var configuration = user.configuration(partitionValue: "tally")
        configuration.objectTypes = [Trace.self, Tally.self, Posting.self]
        return try await Realm(configuration: configuration, downloadBeforeOpen: behavior)
    }
}

/// Says a line at once: nothing is kept in memory that a kill would take.
func say(_ line: String) {
    let text = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}
