import Daybook
import EventModel
import Foundation
import SQLiteStore
import SyncServer
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

    /// The classes of each of the three devices' programs.
    typealias Programs = [[ObjectBase.Type]]

    /// Three devices with the program of the scenarios.
    static let sameProgram: Programs = Array(repeating: [ScenarioPerson.self, ScenarioAddress.self], count: 3)

    let first: First
    let devices: ScenarioServer.Devices
    /// The partition value of the realm.
    let partition: String
    private let programs: Programs
    /// The realm of the first device, whose file is the server's first one of this realm.
    let a: Realm
    /// The realm of the second device.
    let b: Realm
    private var last = Date.distantPast

    private init(_ name: String, hears first: First, of programs: Programs, from base: Work) async throws {
        let devices = try #require(ScenarioServer.devices)
        let partition = "\(name), \(first) first"
        (self.devices, self.partition, self.programs, self.first) = (devices, partition, programs, first)
        let a = try await Realm(configuration: Self.configuration(of: devices.users[0], programs[0], partition))
        // Connected before it writes, so that the times of the base are those of the device's clock.
        try await Self.hear(a)
        try a.write { try base(a) }
        try await Self.send(a)
        self.a = a
        b = try await Realm(configuration: Self.configuration(of: devices.users[1], programs[1], partition))
        try await Self.hear(b)
        for realm in [a, b] { try Self.session(of: realm).suspend() }
    }

    /// Begins a story in which the two hear of each other all the time.
    static func together(_ name: String, from base: Work = { $0.add(ScenarioPerson(1)) }) async throws -> Story {
        let story = try await Story(name, hears: .a, of: sameProgram, from: base)
        for realm in [story.a, story.b] { try session(of: realm).resume() }
        return story
    }

    /// Opens the realm on the third device, which begins to hear of it.
    func newDevice(_ behavior: OpenBehavior) async throws -> Realm {
        try await Realm(
            configuration: Self.configuration(of: devices.users[2], programs[2], partition),
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

    private static func configuration(
        of user: User,
        _ classes: [ObjectBase.Type],
        _ partition: String
    ) -> Realm.Configuration {
        var configuration = user.configuration(partitionValue: partition)
        configuration.objectTypes = classes
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
    ///   - programs: What the devices' programs declare; the same by default.
    ///   - base: What both have at the beginning; a person 1 without anything by default.
    ///   - location: Where the story stands.
    ///   - tell: What the two do then.
    ///   - outcome: What is looked at in the end.
    /// - Throws: What a transaction, a session or the opening of a realm throws.
    static func tell<Outcome: Equatable>(
        _ name: String,
        is expected: Outcome,
        of programs: Programs = Story.sameProgram,
        from base: Work = { $0.add(ScenarioPerson(1)) },
        at location: SourceLocation = #_sourceLocation,
        _ tell: (Story) async throws -> Void,
        end outcome: (Realm) throws -> Outcome
    ) async throws {
        for first in First.allCases {
            let story = try await Story(name, hears: first, of: programs, from: base)
            try await tell(story)
            try await story.meet()
            let new = try await story.newDevice(.always)
            for (device, realm) in [("a", story.a), ("b", story.b), ("a new one", new)] {
                let result = try outcome(realm)
                #expect(result == expected, "\(story.partition): on \(device)", sourceLocation: location)
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

    /// One device sends what it has, hears what there is, and goes away again.
    func visit(_ realm: Realm) async throws {
        try Self.session(of: realm).resume()
        try await Self.send(realm)
        try await Self.hear(realm)
        try Self.session(of: realm).suspend()
    }

    /// The server forgets the log of the realm up to now, as it does where the log is kept for a time.
    ///
    /// - Returns: How many entries are gone.
    func forgetLog() async throws -> Int {
        let store = try SQLiteChangeStore(path: devices.realmsPath)
        let configuration = try #require(try Self.session(of: a).configuration())
        let value = ExactText(configuration.partitionValue.typedText)
        let realm = try #require(try await store.realms().first { $0.value == value })
        return try await store.shorten(realm, before: EventInstant(microseconds: .max), limit: .max).floor
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
