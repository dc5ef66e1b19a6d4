import ChangeModel
import SyncServer

/// A cell, an element and the marks of an object, each as the bytes of one column.
enum RealmPacking {
    private static let valueFlag: UInt8 = 1
    private static let epochFlag: UInt8 = 2
    private static let incrementsFlag: UInt8 = 4

    /// Packs a cell: stamp, flags, the epoch of the target, increments, value.
    static func pack(_ cell: Cell) -> [UInt8] {
        var bytes = OrderedBytes()
        bytes.stamp(cell.stamp)
        bytes.byte(
            (cell.value == nil ? 0 : valueFlag) | (cell.targetEpoch == 0 ? 0 : epochFlag)
                | (cell.increments.isEmpty ? 0 : incrementsFlag)
        )
        if cell.targetEpoch != 0 { bytes.fixed(Int64(cell.targetEpoch)) }
        if !cell.increments.isEmpty {
            bytes.fixed(UInt32(clamping: cell.increments.count))
            for (stamp, number) in cell.increments.sorted(by: { $0.key < $1.key }) {
                bytes.stamp(stamp)
                bytes.fixed(number)
            }
        }
        if let value = cell.value { bytes.value(value) }
        return bytes.bytes
    }

    static func cell(_ bytes: [UInt8]) throws(SyncServerError) -> Cell {
        var reader = OrderedReader(bytes)
        let stamp = try reader.stamp()
        let flags = try reader.byte()
        var cell = Cell(stamp: stamp, value: nil)
        if flags & epochFlag != 0 { cell.targetEpoch = Int(try reader.fixed(Int64.self)) }
        if flags & incrementsFlag != 0 {
            for _ in 0..<(try reader.fixed(UInt32.self)) {
                let stamp = try reader.stamp()
                cell.increments[stamp] = try reader.fixed(Int64.self)
            }
        }
        if flags & valueFlag != 0 { cell.value = try reader.value() }
        guard reader.isAtEnd else { throw OrderedReader.damage }
        return cell
    }

    /// What a cell of a property says by itself.
    enum Plain {
        case nothing
        case value(CellValue)
        /// Only the rules say it: they add increments, and know what became of another object or lies in the value.
        case needsRules
    }

    /// Reads a cell of a property as far as a snapshot needs it.
    static func plain(_ bytes: UnsafeRawBufferPointer) throws(SyncServerError) -> Plain {
        guard bytes.count > stampBytes else { throw OrderedReader.damage }
        switch bytes[stampBytes] {
        case 0: return .nothing
        case valueFlag: break
        default: return .needsRules
        }
        var reader = OrderedReader(Array(bytes[(stampBytes + 1)...]))
        let value = try reader.value()
        guard reader.isAtEnd else { throw OrderedReader.damage }
        return value.isPlain ? .value(value) : .needsRules
    }

    /// The bytes of a stamp.
    private static let stampBytes = 17

    /// Packs the marks of an object in the order of their arrival.
    static func pack(_ marks: [Existence.Mark]) -> [UInt8] {
        var bytes = OrderedBytes()
        for mark in marks {
            bytes.fixed(Int64(mark.number))
            bytes.fixed(Int64(mark.epoch))
            bytes.stamp(mark.stamp)
        }
        return bytes.bytes
    }

    static func marks(_ bytes: [UInt8]) throws(SyncServerError) -> [Existence.Mark] {
        var reader = OrderedReader(bytes)
        var marks: [Existence.Mark] = []
        while !reader.isAtEnd {
            let number = Int(try reader.fixed(Int64.self))
            let epoch = Int(try reader.fixed(Int64.self))
            marks.append(Existence.Mark(number: number, epoch: epoch, stamp: try reader.stamp()))
        }
        return marks
    }

    /// Packs an element with all its places.
    static func pack(_ element: ListElement) -> [UInt8] {
        var bytes = OrderedBytes()
        bytes.stamp(element.inserted)
        bytes.byte(element.isRemoved ? 1 : 0)
        for place in element.places {
            bytes.stamp(place.stamp)
            bytes.fixed(Int64(place.number))
            bytes.byte(place.anchor == nil ? 0 : 1)
            if let anchor = place.anchor { bytes.stamp(anchor) }
        }
        return bytes.bytes
    }

    static func element(_ bytes: [UInt8], _ id: ElementID) throws(SyncServerError) -> ListElement {
        var reader = OrderedReader(bytes)
        var element = ListElement(inserted: try reader.stamp(), isRemoved: try reader.byte() == 1, places: [])
        while !reader.isAtEnd {
            let stamp = try reader.stamp()
            let number = Int(try reader.fixed(Int64.self))
            let anchor = try reader.byte() == 0 ? nil : try reader.stamp()
            element.places.append(ListPlace(stamp: stamp, anchor: anchor, element: id, number: number))
        }
        return element
    }
}
