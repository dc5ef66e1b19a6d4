import Daybook
import Testing

@MainActor
@Suite("The folders that a process records into")
struct EventDestinationTests {
    @Test("a process remembers those in use, and not every one that it ever used")
    func forgotten() async throws {
        let count = RealmWiring.destinations.rememberedFolderCount
        for _ in 0..<60 {
            let place = try RecordingRealm()
            let realm = try place.open(EventConfiguration())
            try await realm.events?.beginScope(activity: "look").commit()
        }

        // Other tests use folders of their own meanwhile, but these are not left.
        let place = try RecordingRealm()
        let realm = try place.open(EventConfiguration())
        #expect(RealmWiring.destinations.rememberedFolderCount < count + 60)
        #expect(realm.eventDestination != nil)
    }

    @Test("realms that record into one folder share one destination, which a new one takes over from once it is closed")
    func shared() throws {
        let place = try RecordingRealm()
        for _ in 0..<3 {
            let first = try #require(try place.open(EventConfiguration()).eventDestination)
            let second = try #require(try place.open(EventConfiguration()).eventDestination)
            #expect(first === second)
        }
    }
}
