import EventModel
import Testing

@Suite("LossEntry")
struct LossEntryTests {
    private func entry(_ reason: LossEntry.Reason, _ count: UInt64, _ span: ClosedRange<Int64>? = nil) -> LossEntry {
        LossEntry(
            reason: reason,
            count: count,
            noticed: EventInstant(microseconds: 9),
            first: span.map { EventInstant(microseconds: $0.lowerBound) },
            last: span.map { EventInstant(microseconds: $0.upperBound) }
        )
    }

    @Test("the sum counts events, not payloads, and does not overflow")
    func eventCount() {
        #expect([entry(.quota, 3), entry(.encodingFailed, 5), entry(.damaged, 1)].eventCount == 4)
        #expect([entry(.quota, .max), entry(.quota, 1)].eventCount == .max)
        #expect([LossEntry]().eventCount == 0)
    }

    @Test("merging adds up, keeps the first and the last time, and does not overflow")
    func merging() {
        #expect(entry(.quota, 2, 5...6).merged(with: entry(.quota, 3, 1...2)) == entry(.quota, 5, 1...6))
        #expect(entry(.quota, 2, 5...6).merged(with: entry(.quota, 3)) == entry(.quota, 5, 5...6))
        #expect(entry(.quota, .max).merged(with: entry(.quota, 3)).count == .max)
    }

    @Test("merging losses for different reasons stops the program")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            let instant = EventInstant(microseconds: 0)
            _ = LossEntry(reason: .quota, count: 1, noticed: instant)
                .merged(with: LossEntry(reason: .damaged, count: 1, noticed: instant))
        }
    }
}
