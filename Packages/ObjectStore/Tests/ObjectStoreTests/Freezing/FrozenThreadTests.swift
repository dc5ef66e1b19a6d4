import Dispatch
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Frozen values in other places")
struct FrozenThreadTests {
    private let file: TemporaryRealm

    init() throws { file = try Band.file() }

    /// An actor that is handed frozen values.
    private actor Reader {
        func names(_ players: Frozen<List<Player>>) -> [String] { players.value.map(\.name) }

        func thawedRank(_ band: Frozen<Band>) -> Int? { band.value.thaw()?.rank }
    }

    @Test("F2: threads, queues, tasks and actors read the same frozen object")
    func everywhere() async throws {
        let frozen = Frozen(try #require(file.open().band).freeze())
        let players = Frozen(frozen.value.players)

        try onThread { #expect(frozen.value.players.first?.bands.first?.name == "Owls") }
        DispatchQueue(label: "tests.frozen").sync { #expect(frozen.value.fees["Graz"] == 20) }
        #expect(await Task.detached { frozen.value.leader?.name }.value == "Ada")
        #expect(await Reader().names(players) == ["Ada", "Bo"])
        #expect(await MainActor.run { frozen.value.rank } == 1)
    }

    @Test("many threads read everything of one frozen object at once, while another one writes")
    func atOnce() async throws {
        let frozen = Frozen(try #require(file.open().band).freeze())
        let all = Frozen(try #require(frozen.value.realm).objects(Player.self).sorted(byKeyPath: "name"))
        let file = file

        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                #expect(throws: Never.self) {
                    for number in 0..<20 { try writeElsewhere(file) { $0.band?.rank = number } }
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        let band = frozen.value
                        #expect(band.rank == 1)
                        #expect(band.players.map(\.name) == ["Ada", "Bo"])
                        #expect(band.cities.count == 2 && band.cities.contains("Linz"))
                        #expect(band.fees["Linz"] == 10)
                        #expect(band.songs.last == "two")
                        #expect(band.studio?.street == "Elm")
                        #expect(band.leader?.bands.count == 1)
                        #expect(band.notes.listValue?.count == 2)
                        #expect(band.players.where { $0.name == "Bo" }.count == 1)
                        #expect(all.value.map(\.name) == ["Ada", "Bo"])
                        #expect(all.value.first?.name == "Ada" && all.value.count == 2)
                        #expect(band.realm?.object(ofType: Band.self, forPrimaryKey: "Owls") == band)
                    }
                }
            }
        }
    }

    @Test("many threads freeze one version at once, and get values that are equal")
    func freezingAtOnce() async throws {
        let file = file
        let bands = try await withThrowingTaskGroup(of: Frozen<Band>.self) { group in
            for _ in 0..<8 {
                group.addTask { try await file.inSecondInstance { Frozen(try #require($0.band).freeze()) } }
            }
            return try await group.reduce(into: []) { $0.append($1.value) }
        }

        #expect(bands.count == 8)
        for band in bands { #expect(band.name == "Owls" && band == bands[0]) }
    }

    @Test("F3: what thaws in another place belongs to that place's instance")
    func thawingElsewhere() throws {
        let frozen = Frozen(try #require(file.open().band).freeze())
        let file = file

        try onThread {
            let own = try file.open()
            let band = try #require(frozen.value.thaw())
            #expect(band.realm == own)
            #expect(frozen.value.realm?.thaw() == own)
            try own.write { band.rank = 9 }
        }

        let rank = try file.open().band?.rank
        #expect(rank == 9 && frozen.value.rank == 1)
    }

    @Test("what thaws on a queue or an actor belongs to the instance that was opened for it")
    func thawingInPlaces() async throws {
        let frozen = Frozen(try #require(file.open().band).freeze())
        let reader = QueuePlace(file)
        try await reader.expectOwnInstance(of: frozen)

        let queue = DispatchQueue(label: "tests.thaw")
        let file = file
        try queue.sync {
            let realm = try Realm(configuration: file.configuration, queue: queue)
            #expect(frozen.value.thaw()?.realm == realm)
            #expect(frozen.value.players.thaw()?.realm == realm)
        }
    }

    /// An actor with a realm of its own.
    private actor QueuePlace {
        private let file: TemporaryRealm

        init(_ file: TemporaryRealm) { self.file = file }

        func expectOwnInstance(of frozen: Frozen<Band>) async throws {
            let realm = try await Realm.open(configuration: file.configuration)
            #expect(frozen.value.thaw()?.realm == realm)
            #expect(try #require(frozen.value.thaw()).rank == 1)
        }
    }

    @Test("a thawed object is at least of the version that was frozen, also in an instance that was behind")
    func thawingBehind() throws {
        let realm = try file.open()
        let live = try #require(realm.band)
        realm.autorefresh = false
        #expect(live.rank == 1)
        let file = file
        let frozen = try onThreadResult { () -> Frozen<Band> in
            let own = try file.open()
            let band = try #require(own.band)
            try own.write { band.rank = 2 }
            return Frozen(band.freeze())
        }
        #expect(live.rank == 1)

        #expect(frozen.value.thaw()?.rank == 2)
    }

    @Test("handlers get values that they may freeze and hand on")
    func handlers() throws {
        let place = try QueueRealm(file)
        let log = Log<Frozen<Results<Band>>>()
        let token = place.run { realm in
            realm.objects(Band.self)
                .observe { change in
                    if case .update(let bands, _, _, _) = change { log.add(Frozen(bands.freeze())) }
                }
        }
        try place.writeElsewhere { $0.band?.rank = 5 }
        place.run { _ in token.invalidate() }

        #expect(log.take().map { $0.value.map(\.rank) } == [[5]])
    }
}

/// Runs code on a thread of its own, and waits for what it returns.
private func onThreadResult<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    // SAFETY: written by the thread before it ends, read after it was waited for.
    nonisolated(unsafe) var value: Value?
    try onThread { value = try body() }
    return try #require(value)
}
