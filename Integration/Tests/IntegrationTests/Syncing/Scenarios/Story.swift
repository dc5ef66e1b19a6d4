import Daybook
import Foundation
import Testing

/// What two devices of one realm do while they do not hear of each other: real files, and a real server over loopback.
///
/// Each is told for both orders in which the server can hear of the two. In the end a third device is new, and all three hold the same.
@MainActor
final class Story {
    /// Whom the server hears first.
    enum First: String, CaseIterable {
        case a, b
    }

    /// What a device does in one transaction.
    typealias Work = (Realm) throws -> Void

    let first: First
    private let name: String
    private let devices: ScenarioServer.Devices
    let a: Realm
    let b: Realm
    private var last = Date.distantPast

    private init(_ name: String, hears first: First, from base: Work) async throws {
        devices = try #require(ScenarioServer.devices)
        self.first = first
        self.name = "\(name), \(first) first"
        a = try await Realm(configuration: Self.configuration(of: devices.users[0], self.name))
        b = try await Realm(configuration: Self.configuration(of: devices.users[1], self.name))
        try a.write { try base(a) }
        try await Self.send(a)
        try await Self.hear(b)
        for realm in [a, b] { try Self.session(of: realm).suspend() }
    }

    /// Begins a story in which the two hear of each other all the time.
    static func together(_ name: String, from base: Work = { $0.add(ScenarioPerson(1)) }) async throws -> Story {
        let story = try await Story(name, hears: .a, from: base)
        for realm in [story.a, story.b] { try session(of: realm).resume() }
        return story
    }

    /// Opens the realm on the third device, which begins to hear of it.
    func newDevice(_ behavior: OpenBehavior) async throws -> Realm {
        try await Realm(
            configuration: Self.configuration(of: devices.users[2], name),
            downloadBeforeOpen: behavior
        )
    }

    /// Waits until the server has what a device has written.
    func sent(_ realm: Realm) async throws { try await Self.send(realm) }

    /// Waits until all of these have what any of them has.
    func settle(_ realms: Realm...) async throws {
        for realm in realms { try await Self.send(realm) }
        for realm in realms { try await Self.hear(realm) }
    }

    /// The next error that a device's session tells of, waited for.
    func error(of realm: Realm) async -> SyncError? { await devices.errors.next(of: realm.syncSession) }

    private static func configuration(of user: User, _ partition: String) -> Realm.Configuration {
        var configuration = user.configuration(partitionValue: partition)
        configuration.objectTypes = [ScenarioPerson.self, ScenarioAddress.self]
        return configuration
    }

    private static func session(of realm: Realm) throws -> SyncSession { try #require(realm.syncSession) }

    private static func send(_ realm: Realm) async throws { try await session(of: realm).wait(for: .upload) }

    private static func hear(_ realm: Realm) async throws {
        try await session(of: realm).wait(for: .download)
        realm.refresh()
    }

    /// Tells a story twice, and compares what the three devices have in the end.
    ///
    /// - Parameters:
    ///   - name: The scenario.
    ///   - expected: What the outcome has to be.
    ///   - base: What both have at the beginning; a person 1 without anything by default.
    ///   - location: Where the story stands.
    ///   - tell: What the two do then.
    ///   - outcome: What is looked at in the end.
    /// - Throws: What a transaction, a session or the opening of a realm throws.
    static func tell<Outcome: Equatable>(
        _ name: String,
        is expected: Outcome,
        from base: Work = { $0.add(ScenarioPerson(1)) },
        at location: SourceLocation = #_sourceLocation,
        _ tell: (Story) async throws -> Void,
        end outcome: (Realm) throws -> Outcome
    ) async throws {
        for first in First.allCases {
            let story = try await Story(name, hears: first, from: base)
            try await tell(story)
            try await story.meet()
            let new = try await story.newDevice(.always)
            for (device, realm) in [("a", story.a), ("b", story.b), ("a new one", new)] {
                let result = try outcome(realm)
                #expect(result == expected, "\(story.name): on \(device)", sourceLocation: location)
            }
        }
    }

    /// The first device writes.
    func a(_ work: Work) async throws { try await write(work, a) }

    /// The second device writes.
    func b(_ work: Work) async throws { try await write(work, b) }

    /// Writes at a later millisecond than before, because the time of two writes decides between them.
    private func write(_ work: Work, _ realm: Realm) async throws {
        while Date.now < last.addingTimeInterval(0.002) { await Task.yield() }
        try realm.write { try work(realm) }
        last = Date.now
    }

    /// Both send what they have, in the order of the story, hear of each other, and part again.
    func meet() async throws {
        let order = first == .a ? [a, b] : [b, a]
        for realm in order {
            try Self.session(of: realm).resume()
            try await Self.send(realm)
        }
        for realm in order { try await Self.hear(realm) }
        for realm in order { try Self.session(of: realm).suspend() }
    }
}
