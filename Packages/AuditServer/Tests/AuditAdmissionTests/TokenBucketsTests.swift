import Testing

@testable import AuditAdmission

@Suite("How often somebody may do something")
struct TokenBucketsTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("as many at once as the burst says, then as many in a minute as the rate says")
    func rate() {
        var buckets = TokenBuckets<String>(.init(perMinute: 6, burst: 3))

        let first = (0..<5).map { _ in buckets.take("a", now: 5 * Self.second) }
        let later = (0..<2).map { _ in buckets.take("a", now: 15 * Self.second) }

        #expect(first == [nil, nil, nil, 10, 10])
        #expect(later == [nil, 10])
    }

    @Test("keys do not take from each other")
    func keys() {
        var buckets = TokenBuckets<String>(.init(perMinute: 1, burst: 1))

        #expect(buckets.take("a", now: 1) == nil)
        #expect(buckets.take("a", now: 1) == 60)
        #expect(buckets.take("b", now: 1) == nil)
    }

    @Test("what is given back can be taken again, and no more than the burst is ever there")
    func givingBack() {
        var buckets = TokenBuckets<String>(.init(perMinute: 60, burst: 2))

        buckets.giveBack("a", now: 1)
        #expect(buckets.take("a", now: 1) == nil)
        #expect(buckets.take("a", now: 1) == nil)
        buckets.giveBack("a", now: 1)
        #expect(buckets.take("a", now: 1) == nil)
        #expect(buckets.take("a", now: 1) == 1)
        for _ in 1...5 { buckets.giveBack("a", now: 1) }
        let taken = (0..<3).map { _ in buckets.take("a", now: 1) }
        #expect(taken == [nil, nil, 1])
    }

    @Test("a clock that goes back gives nothing away")
    func clock() {
        var buckets = TokenBuckets<String>(.init(perMinute: 60, burst: 1))

        #expect(buckets.take("a", now: 10 * Self.second) == nil)
        #expect(buckets.take("a", now: 1) == 1)
        #expect(buckets.take("a", now: 10 * Self.second) == 1)
    }

    @Test("more keys than are told apart share one bucket, and those at rest are forgotten")
    func bound() {
        var buckets = TokenBuckets<Int>(.init(perMinute: 60, burst: 2))
        let capacity = TokenBuckets<Int>.capacity
        var refused = 0
        for key in 0..<capacity where buckets.take(key, now: Self.second) != nil { refused += 1 }
        #expect(refused == 0)

        let strangers = (0..<3).map { buckets.take(-1 - $0, now: Self.second) }
        let afterRest = buckets.take(-9, now: 100 * Self.second)

        #expect(strangers == [nil, nil, 1])
        #expect(afterRest == nil)
        #expect(buckets.take(0, now: 100 * Self.second) == nil)
    }
}
