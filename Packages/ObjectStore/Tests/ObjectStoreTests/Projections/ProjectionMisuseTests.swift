import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Misuse of projections and sections ends the process with a sentence")
struct ProjectionMisuseTests {
    private static func expect(_ sentence: String, in result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(sentence), "\(text.prefix(600))")
    }

    @Test("writing what passes an optional link")
    func readOnly() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Act(projecting: Juggler()).home = "Graz"
        }
        Self.expect("whose key path cannot be written: it passes an optional link or computes something", in: result)
    }

    @Test("observing a property that is not projected")
    func unknownProperty() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let place = try QueueRealm(try Juggler.file())
            try place.write { Juggler.fill($0) }
            place.run { realm in _ = realm.act(1)?.observe(keyPaths: ["firstNam"]) { _ in } }
        }
        Self.expect("'Act' has no projected property 'firstNam'; did you mean 'firstName'?", in: result)
    }

    @Test("observing a projection of an unmanaged object")
    func unmanaged() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Act(projecting: Juggler()).observe { _ in }
        }
        Self.expect("was observed that is not managed; add it to a realm first", in: result)
    }

    @Test("an index outside of the sections")
    func sectionIndex() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try TemporaryRealm(Bale.types).open()
            _ = realm.objects(Bale.self).sectioned(by: \.town)[0]
        }
        Self.expect("The index 0 is outside of 0 sections.", in: result)
    }

    @Test("an index outside of a section")
    func elementIndex() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try TemporaryRealm(Bale.types).open()
            try realm.write { Bale.fill($0) }
            _ = realm.objects(Bale.self).sectioned(by: \.town)[1][2]
        }
        Self.expect("The index 2 is outside of a section of 2 elements.", in: result)
    }

    @Test("a path that does not have two numbers")
    func path() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try TemporaryRealm(Bale.types).open()
            _ = realm.objects(Bale.self).sectioned(by: \.town)[IndexPath(indexes: [1])]
        }
        Self.expect("A path of 1 numbers was used for an element of sections; it has two.", in: result)
    }
}
