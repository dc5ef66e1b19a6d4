/// A set of properties of one class, by their slots.
///
/// One bit for each slot; the last bit stands for slot 63 and all behind it, so that a very wide class is notified of more
/// changes than there were, never of fewer.
struct SlotSet: Equatable, Sendable {
    private(set) var bits: UInt64

    init(bits: UInt64 = 0) { self.bits = bits }

    /// The set of one slot.
    @inline(__always)
    init(_ slot: Int) { bits = 1 << UInt64(Self.place(of: slot)) }

    /// The set of some slots.
    init(_ slots: [Int]) { bits = slots.reduce(0) { $0 | SlotSet($1).bits } }

    /// Where a slot lies in the set.
    @inline(__always)
    static func place(of slot: Int) -> Int { min(slot, lastPlace) }

    /// The place of the last slots of very wide classes.
    static let lastPlace = 63

    /// Every slot there can be.
    static let all = SlotSet(bits: .max)

    var isEmpty: Bool { bits == 0 }

    @inline(__always)
    func contains(_ slot: Int) -> Bool { bits & SlotSet(slot).bits != 0 }

    /// The places of the slots, ascending.
    var slots: [Int] { (0...Self.lastPlace).filter(contains) }

    func union(_ other: SlotSet) -> SlotSet { SlotSet(bits: bits | other.bits) }

    func intersection(_ other: SlotSet) -> SlotSet { SlotSet(bits: bits & other.bits) }

    func subtracting(_ other: SlotSet) -> SlotSet { SlotSet(bits: bits & ~other.bits) }

    func intersects(_ other: SlotSet) -> Bool { bits & other.bits != 0 }

    @inline(__always)
    mutating func insert(_ slot: Int) { bits |= SlotSet(slot).bits }

    @inline(__always)
    mutating func formUnion(_ other: SlotSet) { bits |= other.bits }
}
