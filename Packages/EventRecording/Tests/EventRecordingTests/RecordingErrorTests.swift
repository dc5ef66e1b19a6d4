import EventRecording
import Foundation
import Testing

@Suite("Errors of recording in the words of an app")
struct RecordingErrorTests {
    @Test(
        "what an app shows of an error is its sentence, also when nothing is known but that it is one",
        arguments: [
            RecordingError.scopeNotActive(id: 3),
            RecordingError.damagedJournal(reason: "it ends early"),
        ] as [any Error & CustomStringConvertible]
    )
    func words(error: any Error & CustomStringConvertible) {
        #expect((error as any Error).localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
    }
}
