import Foundation
import ObjectStore
import Testing

@Suite("Errors of realms in the words of an app")
struct RealmErrorWordsTests {
    @Test(
        "what an app shows of an error is its sentence, also when nothing is known but that it is one",
        arguments: [
            Realm.Error(.schemaMismatch, "The file has another schema.")
        ] as [any Error & CustomStringConvertible]
    )
    func words(error: any Error & CustomStringConvertible) {
        #expect((error as any Error).localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
    }

    @Test("an error that an app makes has its sentence and its file, or names its code")
    func made() {
        #expect(Realm.Error(.fileNotFound).localizedDescription == "The realm failed with the code fileNotFound.")
        #expect(Realm.Error(.fail).fileURL == nil)
        let place = URL(filePath: "/ward.realm")
        let error = Realm.Error(.fail, userInfo: [NSLocalizedDescriptionKey: "It is gone.", NSURLErrorKey: place])
        #expect(error.localizedDescription == "It is gone." && error.fileURL == place && error.code == .fail)
    }
}
