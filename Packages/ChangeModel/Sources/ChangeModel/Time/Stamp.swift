/// When a cell was written: what decides which of two writes is the newer one.
///
/// A default value is older than every write and ordered among defaults in the same way, so that two versions of a
/// program that have different defaults end with one value (S7).
public struct Stamp: Sendable, Hashable {
    /// Whether the value came from a default of the class.
    public let isDefault: Bool
    /// When the change was made, as the server took it.
    public let clock: HybridClock
    /// The file, which decides between equal times: the higher number wins.
    public let file: UInt32
    /// The index of the operation in its change.
    public let index: UInt32

    /// Creates a stamp.
    public init(_ clock: HybridClock, file: UInt32, index: UInt32, isDefault: Bool = false) {
        self.clock = clock
        self.file = file
        self.index = index
        self.isDefault = isDefault
    }

    /// The stamp that every other one is newer than.
    public static let oldest = Stamp(.zero, file: 0, index: 0, isDefault: true)

    /// The same moment for a value that came from a default.
    public var asDefault: Stamp { Stamp(clock, file: file, index: index, isDefault: true) }
}

extension Stamp: Comparable {
    /// Orders defaults first, then by clock, file and index.
    public static func < (left: Stamp, right: Stamp) -> Bool {
        guard left.isDefault == right.isDefault else { return left.isDefault }
        return (left.clock, left.file, left.index) < (right.clock, right.file, right.index)
    }
}
