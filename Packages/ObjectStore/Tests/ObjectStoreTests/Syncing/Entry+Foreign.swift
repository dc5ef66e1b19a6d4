import ChangeModel
import ChangeModelTesting
import EventModel

extension Entry {
    /// What a file did, by default another one; at a time of as many milliseconds as its number says, unless one is given.
    static func sample(
        _ number: Int,
        _ literals: [ChangeOperation],
        file: UInt32 = 2,
        change: Int? = nil,
        clock: HybridClock? = nil
    ) -> Entry {
        Entry(
            number: number,
            change: ChangeReference(file: file, number: change ?? number),
            user: 1,
            clock: clock ?? HybridClock(milliseconds: Int64(number)),
            received: EventInstant(microseconds: 0),
            results: literals.map { _ in .asSent },
            literals: literals,
            corrections: [],
            digest: .sample
        )
    }
}
