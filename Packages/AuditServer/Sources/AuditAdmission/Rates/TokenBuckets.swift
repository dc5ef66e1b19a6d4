/// Counts how often each of many keys did something lately: a bucket that fills with time and empties with use.
///
/// Pure: the caller gives the time. Bounded: a key that has rested long enough is forgotten, because its bucket is full
/// again; beyond ``capacity`` busy keys, strangers share one bucket.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    /// How many keys are told apart at once.
    package static var capacity: Int { 50_000 }

    private struct Bucket {
        var tokens: Double
        var time: UInt64
    }

    /// How many tokens come in a period, in seconds.
    private let amount: Double
    private let period: Double
    private let burst: Double
    private var buckets: [Key: Bucket] = [:]
    private var shared: Bucket
    private var lastSweep: UInt64 = 0

    /// Creates full buckets.
    package init(_ rate: ServerLimits.Rate) {
        self.init(burst: rate.burst, amount: rate.perMinute, period: 60)
    }

    /// Creates full buckets of so many tokens.
    ///
    /// - Parameters:
    ///   - burst: How many there are in a full bucket.
    ///   - amount: How many come in a period, one or more.
    ///   - period: The period, in seconds.
    package init(burst: Int, amount: Int, period: Int) {
        self.amount = Double(amount)
        self.period = Double(period)
        self.burst = Double(burst)
        shared = Bucket(tokens: self.burst, time: 0)
    }

    /// Takes one token out of a key's bucket.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - now: The monotonic clock, in nanoseconds.
    /// - Returns: nil when there was one, else in how many seconds there will be.
    /// - Complexity: O(1) on average.
    package mutating func take(_ key: Key, now: UInt64) -> Int? {
        if buckets[key] == nil, buckets.count >= Self.capacity { sweep(now: now) }
        guard buckets[key] != nil || buckets.count < Self.capacity else { return take(from: &shared, now: now) }
        return take(from: &buckets[key, default: Bucket(tokens: burst, time: now)], now: now)
    }

    /// Returns in how many seconds a key has a token; nil when it has one, and takes none.
    package func wait(of key: Key, now: UInt64) -> Int? {
        if let bucket = buckets[key] { return seconds(until: filled(bucket, now: now)) }
        return seconds(until: buckets.count < Self.capacity ? burst : filled(shared, now: now))
    }

    /// Takes many tokens, also more than there are: the key has none then until they are paid back.
    package mutating func use(_ count: Int, of key: Key, now: UInt64) {
        if buckets[key] == nil, buckets.count >= Self.capacity { sweep(now: now) }
        guard buckets[key] != nil || buckets.count < Self.capacity else {
            shared = Bucket(tokens: filled(shared, now: now) - Double(count), time: max(now, shared.time))
            return
        }
        let bucket = buckets[key] ?? Bucket(tokens: burst, time: now)
        buckets[key] = Bucket(tokens: filled(bucket, now: now) - Double(count), time: max(now, bucket.time))
    }

    /// Puts a token back that a key took for nothing; strangers who share a bucket get none back.
    package mutating func giveBack(_ key: Key, now: UInt64) {
        guard let bucket = buckets[key] else { return }
        buckets[key] = Bucket(tokens: min(burst, filled(bucket, now: now) + 1), time: max(now, bucket.time))
    }

    private func take(from bucket: inout Bucket, now: UInt64) -> Int? {
        bucket = Bucket(tokens: filled(bucket, now: now), time: max(now, bucket.time))
        if let wait = seconds(until: bucket.tokens) { return wait }
        bucket.tokens -= 1
        return nil
    }

    private func filled(_ bucket: Bucket, now: UInt64) -> Double {
        let seconds = Double(now > bucket.time ? now - bucket.time : 0) / 1_000_000_000
        return min(burst, bucket.tokens + seconds * amount / period)
    }

    private func seconds(until tokens: Double) -> Int? {
        tokens >= 1 ? nil : max(1, Int(((1 - tokens) * period / amount).rounded(.up)))
    }

    /// Forgets the keys whose buckets are full, once a second at most: looking at all of them takes a while.
    private mutating func sweep(now: UInt64) {
        guard now >= lastSweep + 1_000_000_000 || lastSweep == 0 else { return }
        lastSweep = now
        buckets = buckets.filter { filled($0.value, now: now) < burst }
    }
}
