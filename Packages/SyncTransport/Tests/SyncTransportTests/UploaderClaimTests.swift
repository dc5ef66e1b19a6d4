import EventModel
import Testing

@testable import SyncTransport

@Suite("Which partitions are taken up")
struct UploaderClaimTests {
    private static let summaries = (1...3)
        .map { number in
            PartitionSummary(
                partition: Sample.partition(number),
                count: 4,
                isSealed: true,
                acknowledgedThrough: 0,
                byteCount: 4
            )
        }

    @Test("a partition whose upload ends during a listing is left for the next one, as it may be deleted")
    func endedMeanwhile() {
        var state = Uploader.State()
        state.inFlight = [Sample.partition(1), Sample.partition(2)]
        let before = state.inFlight
        // Partition 1 was deleted after the listing was made, and its upload has ended.
        state.inFlight.remove(Sample.partition(1))

        let claimed = state.claim(Self.summaries, besides: before, atMost: 4)
        #expect(claimed.map(\.0.partition) == [Sample.partition(3)])
        #expect(state.inFlight == [Sample.partition(2), Sample.partition(3)])

        let next = state.claim(Self.summaries, besides: state.inFlight, atMost: 4)
        #expect(next.map(\.0.partition) == [Sample.partition(1)])
    }
}
