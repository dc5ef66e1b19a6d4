import CSQLite

/// Holds the texts of one insertion, so that SQLite need not copy each into memory of its own.
///
/// SQLite reads the buffer while the statement runs; nothing may read what is bound after ``clear()``.
final class TextBuffer {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private var used = 0

    /// Creates an empty buffer of a capacity in bytes.
    init(capacity: Int = 4096) {
        base = .allocate(byteCount: capacity, alignment: 1)
        self.capacity = capacity
    }

    deinit {
        base.deallocate()
    }

    /// Makes room for the texts of the next row.
    @inline(__always)
    func clear() { used = 0 }

    /// Binds a text; SQLite copies one that does not fit.
    @inline(__always)
    func bind(_ value: String, to statement: OpaquePointer, at index: Int32) {
        var text = value
        let isBound = text.withUTF8 { utf8 in
            guard utf8.count <= capacity - used else { return false }
            let place = base + used
            if let source = utf8.baseAddress { place.copyMemory(from: source, byteCount: utf8.count) }
            used += utf8.count
            // No destructor: the buffer outlives the run of the statement.
            sqlite3_bind_text(
                statement,
                index,
                UnsafePointer(place.assumingMemoryBound(to: CChar.self)),
                Int32(utf8.count),
                nil
            )
            return true
        }
        if !isBound { bindText(value, statement, index) }
    }
}
