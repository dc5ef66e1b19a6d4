import Foundation
import ObjectQueries
import Testing

@Suite("Errors of queries in the words of an app")
struct QueryErrorWordsTests {
    @Test(
        "what an app shows of an error is its sentence, also when nothing is known but that it is one",
        arguments: [
            QueryError.unknownClass("Cat", suggestion: "Car")
        ] as [any Error & CustomStringConvertible]
    )
    func words(error: any Error & CustomStringConvertible) {
        #expect((error as any Error).localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
    }
}
