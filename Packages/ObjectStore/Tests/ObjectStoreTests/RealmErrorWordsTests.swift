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
}
