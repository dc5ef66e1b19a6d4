/// Which properties of a row were read: a bit for each slot.
///
/// A loop over many objects mostly reads a few properties of each, and SQLite takes longer the more columns it is asked for. So the
/// first objects of a loop find out which ones the program reads, and of the others only these are fetched; whatever else is asked
/// of an object is read then, with all that it has.
enum LoadedSlots {
    /// Every property, in classes of any size.
    static let all = UInt64.max
    /// How many properties a class may have of whose rows parts are read.
    static let maximumCount = 64
    /// How many objects at the beginning of a loop tell which properties are read.
    static let probeCount = 4
}

/// Which properties programs read of the objects of a class that they go through.
struct ReadProperties {
    /// A bit for each slot.
    private(set) var slots: UInt64 = 0
    /// Those that were missing in an object that had only the others.
    private var missed: UInt64 = 0

    /// Notes that an object told that a property is read.
    mutating func note(_ slot: Int) { slots |= 1 << UInt64(slot) }

    /// Notes that a property was missing.
    mutating func noteMissing(_ slot: Int) {
        missed |= 1 << UInt64(slot)
        slots |= missed
    }

    /// Begins with another loop; what was missing before is fetched again.
    mutating func begin() { slots = missed }
}
