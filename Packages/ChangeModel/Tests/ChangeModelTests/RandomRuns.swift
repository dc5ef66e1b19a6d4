/// How much the random tests do: much in release, and as many in debug as take some seconds.
enum RandomRuns {
    #if DEBUG
    static let orders: UInt64 = 200
    static let mutations: UInt64 = 400
    static let mutants = 1500
    static let worlds: UInt64 = 100
    static let worldMutations: UInt64 = 150
    #else
    static let orders: UInt64 = 10_000
    static let mutations: UInt64 = 400
    static let mutants = 200_000
    static let worlds: UInt64 = 1000
    static let worldMutations: UInt64 = 150
    #endif
}
