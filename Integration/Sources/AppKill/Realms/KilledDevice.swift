import Daybook
import EventModelTesting
public import Foundation
import TracedRealms

/// A device of the loop of realms: it writes to a realm that syncs, until it is killed.
///
/// Each of its transactions leaves `RealmTraces`. What it says on its standard output is for ``RealmKillLoop``.
@MainActor
public struct KilledDevice {
    /// What the devices share.
    nonisolated static let value = "tally"

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
    ///   - isAlone: Whether it never waits until the server has what it wrote.
    /// - Throws: What opening a realm throws, a commit that fails, and a session that ends.
    public func live(_ life: Int, seed: UInt64, isAlone: Bool = false) async throws {
        var random = SeededGenerator(seed: seed)
        let realm = try await open(.never)
        var number = 0
        while true {
            number += 1
            let key = "\(life).\(number)"
            let place = Int.random(in: 0...3, using: &random)
            try realm.write { RealmTraces.leave(key, at: place, in: realm) }
            say("done \(key)")
            if Int.random(in: 0..<8, using: &random) == 0, !isAlone {
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
        for line in SettledRealm(realm).said { say(line) }
    }

    private func open(_ behavior: OpenBehavior) async throws -> Realm {
        // A server that crashes meanwhile is none of a device's business.
        let user = if let known = app.currentUser { known } else { try await app.login(credentials: .anonymous) }
        user.syncManager.errorHandler = { error, _ in say("error \(error)") }
        var configuration = user.configuration(partitionValue: Self.value)
        configuration.objectTypes = RealmTraces.classes
        return try await Realm(configuration: configuration, downloadBeforeOpen: behavior)
    }
}

/// Says a line at once: nothing is kept in memory that a kill would take.
func say(_ line: String) {
    let text = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}
