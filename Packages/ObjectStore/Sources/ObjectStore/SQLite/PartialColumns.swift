import ColumnScans
import EventModel

/// Some of the columns of a class: those that the program reads.
final class PartialColumns {
    /// The slots that rows have, with those that have no column; see ``LoadedSlots``.
    let loaded: UInt64
    /// The slots of the columns.
    let slots: [Int]
    let columns: ContiguousArray<ClassTable.Column>
    /// Whether columns in memory can have all of them.
    let isPackable: Bool
    /// How many rows were wanted by their keys while the columns were not in memory.
    var wantedRowCount = 0

    init(_ all: ContiguousArray<ClassTable.Column>, reading properties: UInt64) {
        columns = all.filter { properties & (1 << UInt64($0.slot)) != 0 }
        slots = columns.map(\.slot)
        isPackable = columns.allSatisfy { PackedColumn($0.kind) != nil }
        loaded = Self.withoutColumn(all) | properties
    }

    /// The slots of all that has no column, such as collections.
    static func withoutColumn(_ all: ContiguousArray<ClassTable.Column>) -> UInt64 {
        ~all.reduce(0) { $0 | 1 << UInt64($1.slot) }
    }
}
