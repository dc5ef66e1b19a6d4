/// Random numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// A number from 0 up to a limit; 0 where there is none.
    mutating func below(_ limit: Int) -> Int { limit > 0 ? Int.random(in: 0..<limit, using: &self) : 0 }
}
