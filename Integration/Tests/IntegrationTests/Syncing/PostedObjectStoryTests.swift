import Daybook
import Foundation
import Testing

/// What a device of the ward measures, and nobody reads on a device.
final class WardReading: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var device: String
    @Persisted var number: Int
    @Persisted var taken: Date
    @Persisted var place: ReadingPlace?
}

final class ReadingPlace: EmbeddedObject {
    @Persisted var bed: String
}

@Suite("Asymmetric objects of two devices")
struct PostedObjectStoryTests {
    /// What the server says of an object.
    private struct Line: Decodable {
        struct Reading: Decodable {
            let device: String
            let number: [String: String]
        }

        let realm: String
        let user: String
        let object: Reading
    }

    /// Reads the collection as an operator does, beside the running server.
    private func posted(to ward: WardUnderTest) throws -> [Line] {
        let data = ward.folder.appending(path: "server").path
        let reader = try StartedProgram("daybook", ["objects", "WardReading", "--data", data, "--json"])
        let lines = reader.remainingLines()
        let result = reader.wait()
        #expect(result.code == 0, "\(result.errors)")
        return try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @MainActor
    private func open(_ device: SyncDevice) async throws -> Realm {
        var configuration = device.configuration
        configuration.objectTypes = [Visit.self, WardReading.self, ReadingPlace.self]
        return try await Realm(configuration: configuration)
    }

    @MainActor
    private func measure(_ numbers: ClosedRange<Int>, by device: String, in realm: Realm) throws {
        for number in numbers {
            try realm.write {
                realm.add(Visit(device == "a" ? number : -number, device))
                realm.create(
                    WardReading.self,
                    value: ["device": device, "number": number, "taken": Date(), "place": ["bed": "1"]] as [String: Any]
                )
            }
        }
    }

    @Test("the server has each once and in order, also of a device that it was away for, and no device has any")
    @MainActor
    func oneWay() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let (a, b) = (try await SyncDevice("a", on: ward), try await SyncDevice("b", on: ward))
        let (here, there) = (try await open(a), try await open(b))
        let (mine, theirs) = (try #require(here.syncSession), try #require(there.syncSession))
        try measure(1...20, by: "a", in: here)
        try await mine.wait(for: .upload)
        ward.killServer()
        try measure(21...40, by: "a", in: here)
        try measure(1...10, by: "b", in: there)
        try ward.restartServer()
        for session in [mine, theirs] { session.reconnect() }
        for session in [mine, theirs] { try await session.wait(for: .upload) }
        for session in [mine, theirs] { try await session.wait(for: .download) }

        let lines = try posted(to: ward)
        let byDevice = Dictionary(grouping: lines, by: \.object.device)
        #expect(byDevice["a"]?.compactMap { $0.object.number["$numberLong"] } == (1...40).map(String.init))
        #expect(byDevice["b"]?.compactMap { $0.object.number["$numberLong"] } == (1...10).map(String.init))
        #expect(byDevice.mapValues { Set($0.map(\.user)) } == ["a": [a.user.id], "b": [b.user.id]])
        #expect(Set(lines.map(\.realm)) == ["s_ward 7"])
        for realm in [here, there] {
            realm.refresh()
            #expect(realm.objects(Visit.self).count == 50)
            #expect(realm.outbox.count == 0)
        }
        #expect(mine.position == theirs.position)
    }
}
