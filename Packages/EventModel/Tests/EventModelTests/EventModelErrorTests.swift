import EventModel
import Foundation
import Testing

@Suite("Errors of values and files in the words of an app")
struct EventModelErrorTests {
    @Test(
        "what an app shows of an error is its sentence, also when nothing is known but that it is one",
        arguments: [
            EventModelError.malformedEncryptionKey(byteCount: 3),
            FileSystemError(.open, path: "/tmp/a", code: 28),
        ] as [any Error & CustomStringConvertible]
    )
    func words(error: any Error & CustomStringConvertible) {
        #expect((error as any Error).localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
    }
}
