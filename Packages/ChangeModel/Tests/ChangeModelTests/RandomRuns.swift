/// How many seeds the random tests run: many in release, and as many in debug as take some seconds.
enum RandomRuns {
    #if DEBUG
    static let orders: UInt64 = 300
    static let mutations: UInt64 = 400
    #else
    static let orders: UInt64 = 10_000
    static let mutations: UInt64 = 400
    #endif
}
