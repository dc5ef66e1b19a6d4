import ChangeModel

/// Makes names for elements and lives: random bits from a seed of the system's.
///
/// They need to be different, not secret, and are made for each element of a list; to ask the system for each would cost more than to
/// write the row. The generator is SplitMix64, after Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
struct ElementIDs: RandomNumberGenerator {
    private var state: UInt64

    init() {
        var system = SystemRandomNumberGenerator()
        state = system.next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// A new name, as a column holds it.
    mutating func make() -> Int64 { Int64(ElementID.random(using: &self).bits) }
}
