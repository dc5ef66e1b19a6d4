import Testing

@testable import AuditHTTP

@Suite("The pace of the search index")
struct IndexingPaceTests {
    @Test("The index works on without a rest while no upload comes")
    func idle() {
        var pace = IndexingPace()
        #expect(pace.rest(after: 1000, uploads: 0) == 0)
        #expect(pace.rest(after: 1000, uploads: 0) == 0)
    }

    @Test("The index works a quarter of the time while uploads arrive, and all of it again when they end")
    func busy() {
        var pace = IndexingPace()
        #expect(pace.rest(after: 1000, uploads: 3) == 3000)
        #expect(pace.rest(after: 2000, uploads: 4) == 6000)
        #expect(pace.rest(after: 2000, uploads: 4) == 0)
    }

    @Test("A rest is never longer than a second", arguments: [UInt64(1_000_000_000), .max])
    func bounded(work: UInt64) {
        var pace = IndexingPace()
        #expect(pace.rest(after: work, uploads: 1) == 1_000_000_000)
    }
}
