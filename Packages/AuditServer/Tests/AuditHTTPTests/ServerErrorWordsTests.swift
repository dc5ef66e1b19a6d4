import AuditModel
import Foundation
import Testing

@Suite("Errors of the server in the words of an app")
struct ServerErrorWordsTests {
    @Test(
        "what an app shows of an error is its sentence, also when nothing is known but that it is one",
        arguments: [
            AuditServerError.headTooLarge,
            AuditServerError.unauthorized(reason: "it expired"),
        ] as [any Error & CustomStringConvertible]
    )
    func words(error: any Error & CustomStringConvertible) {
        #expect((error as any Error).localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
    }
}
