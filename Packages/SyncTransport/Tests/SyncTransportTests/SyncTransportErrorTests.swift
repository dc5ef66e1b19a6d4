import EventModel
import Foundation
import SyncTransport
import Testing

@Suite("Errors of uploads and accounts in the words of an app")
struct SyncTransportErrorTests {
    @Test(
        "what an app shows of an error is its sentence, also when nothing is known but that it is one",
        arguments: [
            SyncTransportError.invalidBaseURL,
            SyncTransportError.notLoggedIn(user: "5"),
        ] as [any Error & CustomStringConvertible]
    )
    func words(error: any Error & CustomStringConvertible) {
        #expect((error as any Error).localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
    }
}
