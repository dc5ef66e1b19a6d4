import EventModel
import EventPartitions
import EventProofs
import Foundation
import Testing

@Suite("Errors of event files in the words of an app")
struct PartitionErrorTests {
    @Test(
        "what an app shows of an error is its sentence, also when nothing is known but that it is one",
        arguments: [
            PartitionError.closed,
            PartitionError.encrypted(path: "/tmp/a"),
            ProofError.invalidTreeHead(size: 4),
        ] as [any Error & CustomStringConvertible]
    )
    func words(error: any Error & CustomStringConvertible) {
        #expect((error as any Error).localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
    }
}
