import ChangeModel
import ChangeModelTesting
import EventModel

extension Entry {
    /// What another file did, at a time of as many milliseconds as its number says.
    static func sample(_ number: Int, _ literals: [ChangeOperation]) -> Entry {
        Entry(
            number: number,
            change: ChangeReference(file: 2, number: number),
            user: 1,
            clock: HybridClock(milliseconds: Int64(number)),
            received: EventInstant(microseconds: 0),
            results: literals.map { _ in .asSent },
            literals: literals,
            corrections: [],
            digest: .sample
        )
    }
}
