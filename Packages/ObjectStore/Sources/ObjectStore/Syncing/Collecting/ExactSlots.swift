/// A set of properties of one class, by their slots, each with a bit of its own however many there are.
///
/// What a server is told must not name a property that nobody wrote, as a ``SlotSet`` may.
struct ExactSlots: Equatable, Sendable {
    private var low: UInt64 = 0
    /// The slots from 64 on.
    private var high: [UInt64] = []

    init() {}

    /// The set of one slot.
    init(_ slot: Int) { insert(slot) }

    var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    func contains(_ slot: Int) -> Bool {
        guard slot >= 64 else { return low & 1 << UInt64(slot) != 0 }
        let word = slot / 64 - 1
        return word < high.count && high[word] & 1 << UInt64(slot % 64) != 0
    }

    mutating func insert(_ slot: Int) {
        guard slot >= 64 else {
            low |= 1 << UInt64(slot)
            return
        }
        while high.count < slot / 64 { high.append(0) }
        high[slot / 64 - 1] |= 1 << UInt64(slot % 64)
    }

    mutating func remove(_ slot: Int) {
        guard contains(slot) else { return }
        if slot < 64 { low &= ~(1 << UInt64(slot)) } else { high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64)) }
    }
}
