import EventSerialization
import Foundation
import Testing

@Suite("Errors of payloads in the words of an app")
struct SerializationErrorTests {
    @Test(
        "what an app shows of an error is its sentence, also when nothing is known but that it is one",
        arguments: [
            SerializationError.incompleteSnapshot(className: "Person")
        ] as [any Error & CustomStringConvertible]
    )
    func words(error: any Error & CustomStringConvertible) {
        #expect((error as any Error).localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
    }
}
