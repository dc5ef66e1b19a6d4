import Dispatch
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Notifications of linking objects")
struct LinkingObjectsNotificationTests {
    private let place: QueueRealm
    private let log = Log<Told>()

    init() throws { place = try QueueRealm(Band.file()) }

    @Test("N1: links that come and go, and objects that link and change, are told with their places")
    func changes() throws {
        let token = try place.run { realm in
            try #require(realm.objects(Player.self).first).bands.observe { log.add(Told($0)) }
        }
        try place.write { realm in
            realm.create(
                Band.self,
                value: ["name": "Rooks", "players": [try #require(realm.objects(Player.self).first)]]
            )
        }
        try place.write { realm in realm.band?.rank = 3 }
        try place.write { realm in realm.band?.players.removeFirst() }
        place.run { _ in token.invalidate() }

        #expect(
            log.take() == [
                .initial(1), .update(2, insertions: [1]), .update(2, modifications: [0]), .update(1, deletions: [0]),
            ]
        )
    }

    @Test(
        "a key path that leads links backwards tells of links that come and go, and of what the objects that link are changed in"
    )
    func objectPaths() throws {
        let told = Log<[String]>()
        let token = try place.run { realm in
            try #require(realm.objects(Player.self).first)
                .observe(keyPaths: ["bands.rank"]) { (change: ObjectChange<Player>) in
                    if case .change(_, let properties) = change { told.add(properties.map(\.name)) }
                }
        }
        try place.write { realm in realm.band?.rank = 3 }
        #expect(told.take() == [["bands"]])
        try place.write { realm in realm.band?.songs.append("x") }
        #expect(told.take().isEmpty, "what the path does not name")
        try place.write { realm in
            realm.create(
                Band.self,
                value: ["name": "Rooks", "players": [try #require(realm.objects(Player.self).first)]]
            )
        }
        #expect(told.take() == [["bands"]])
        try place.write { realm in realm.band?.players.removeFirst() }
        #expect(told.take() == [["bands"]])
        try place.write { realm in realm.delete(realm.objects(Band.self).where { $0.name == "Rooks" }) }
        #expect(told.take() == [["bands"]])
        try place.write { realm in realm.band?.rank = 9 }
        #expect(told.take().isEmpty, "a band that links no more")
        withExtendedLifetime(token) {}
    }

    @Test("elements of a collection are modified by links that come and go when the key paths say so")
    func collectionPaths() throws {
        let token = place.run { realm in
            realm.objects(Player.self).observe(keyPaths: ["bands"]) { log.add(Told($0)) }
        }
        let count = place.run { realm in realm.objects(Player.self).count }
        #expect(log.take() == [.initial(count)])
        try place.write { realm in realm.band?.rank = 3 }
        #expect(log.take().isEmpty)
        try place.write { realm in realm.band?.players.removeFirst() }
        #expect(log.take() == [.update(count, modifications: [0])])
        let band = try place.run { realm in try #require(realm.band).name }
        try place.write { realm in
            let player = try #require(realm.objects(Player.self).first)
            realm.object(ofType: Band.self, forPrimaryKey: band)?.players.append(player)
        }
        #expect(log.take() == [.update(count, modifications: [0])])
        withExtendedLifetime(token) {}
    }
}
