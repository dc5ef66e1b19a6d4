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
}
