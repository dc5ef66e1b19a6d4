import Daybook
import EventModelTesting
public import Foundation

/// The app of the loop: it records scopes of reads, of writes and of events of its own, and uploads them, until it is killed.
///
/// What it says on its standard output is for ``AppKillLoop``: a line for each scope whose commit returned, and one for each
/// error.
@MainActor
public struct KilledApp {
    /// What a realm of the app holds.
    final class Note: Object {
        @Persisted(primaryKey: true) var _id: String
        @Persisted var life: Int
    }

    private let folder: URL
    private let app: App

    /// Names the app.
    ///
    /// - Parameters:
    ///   - folder: Where it keeps everything.
    ///   - url: The server.
    public init(folder: URL, url: String) {
        self.folder = folder
        app = App(id: "killed", configuration: AppConfiguration(baseURL: url, rootDirectory: folder.path))
    }

    /// The activity of all scopes of one life.
    nonisolated static func activity(of life: Int) -> String { "life \(life)" }

    /// Records until the process is killed.
    ///
    /// - Parameters:
    ///   - life: Which process of the loop this is.
    ///   - seed: Decides what it records.
    /// - Throws: What opening a realm throws, and a commit that fails.
    public func live(_ life: Int, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let realm = try await open()
        guard let events = realm.events else { return }
        var number = 0
        while true {
            let scope = events.beginScope(activity: Self.activity(of: life))
            var keys: [String] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                // What it looks for it finds, now and then.
                let known = "\(life).\(Int.random(in: 0...max(1, number), using: &random))"
                _ = realm.object(ofType: Note.self, forPrimaryKey: known)?.life
                let written = (0..<Int.random(in: 1...3, using: &random)).map { "\(life).\(number + $0)" }
                number += written.count
                try realm.write { realm in
                    for key in written { realm.add(Note(value: ["_id": key, "life": life])) }
                }
                keys += written
            }
            events.recordEvent(activity: Self.activity(of: life), eventType: "step", data: keys[0])
            try await scope.commit()
            say("done \(keys.joined(separator: " "))")
        }
    }

    /// Opens what the killed ones have left, uploads all of it, and says what is in the realm.
    ///
    /// - Parameter lives: Of which processes the objects are listed.
    /// - Throws: What opening a realm and the uploads throw.
    public func finish(_ lives: [Int]) async throws {
        let realm = try await open()
        await realm.events?.flush()
        try await realm.eventDestination?.uploader?.waitForUploads()
        for life in lives {
            for note in realm.objects(Note.self).where({ $0.life == life }) { say("note \(note._id)") }
        }
        say("left \(try PartitionFiles.find(below: folder.path).count)")
    }

    private func open() async throws -> Realm {
        let user = try await app.login(credentials: .anonymous)
        var configuration = user.configuration(partitionValue: "notes")
        configuration.objectTypes = [Note.self]
        configuration.eventConfiguration = EventConfiguration(
            logger: { _, _ in },
            errorHandler: { say("error \($0)") },
            partitionBytes: 64 << 10
        )
        return try Self.realm(configuration)
    }

    /// Synchronous, so that it is not the form that waits.
    private static func realm(_ configuration: Realm.Configuration) throws -> Realm {
        try Realm(configuration: configuration)
    }
}
