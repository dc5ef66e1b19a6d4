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

    @Test("a refusal ends with one full stop, also when its reason is the sentence of another error")
    func fullStop() {
        let refusals = ["the day is over", "the stretch cannot be read: It ends too early."]
            .map { AuditServerError.rejected(reason: $0).description }

        #expect(refusals.allSatisfy { $0.hasSuffix(".") && !$0.hasSuffix("..") })
    }
}
