/// Finds the slot of a property by the offset of its wrapper, in one load.
///
/// Tables are made once for each model class and live as long as the process.
@frozen
@usableFromInline
struct SlotTable: @unchecked Sendable {
    // SAFETY: the memory is written before the table is published and never changed or freed.
    @usableFromInline let slots: UnsafePointer<UInt16>
    @usableFromInline let count: Int

    init(offsets: [Int]) {
        count = (offsets.max() ?? -1) + 1
        let memory = UnsafeMutablePointer<UInt16>.allocate(capacity: max(count, 1))
        memory.initialize(repeating: .max, count: max(count, 1))
        for (slot, offset) in offsets.enumerated() { memory[offset] = UInt16(slot) }
        slots = UnsafePointer(memory)
    }

    @inlinable
    @inline(__always)
    func slot(at offset: Int) -> Int {
        guard offset < count, slots[offset] != .max else { unknown(offset) }
        return Int(slots[offset])
    }

    @usableFromInline
    func unknown(_ offset: Int) -> Never {
        misuse("A persisted property lies at offset \(offset), where reflection found none; is reflection disabled?")
    }
}
