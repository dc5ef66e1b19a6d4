/// The first hundred bytes of a file, as SQLite has them.
enum PlainHeader {
    /// How many bytes it has.
    static let count = 100

    /// Writes what is the same in each sealed file: the size of its pages, that it has a log, what is left free of each page.
    static func writeConstants(to place: UnsafeMutableRawPointer) {
        let head = UnsafeMutableRawBufferPointer(start: place, count: count)
        head.initializeMemory(as: UInt8.self, repeating: 0)
        head.copyBytes(from: SealedPage.plainHead)
        let constants: [UInt8] = [0x10, 0, 2, 2, UInt8(SealedPage.reservedCount), 64, 32, 32]
        UnsafeMutableRawBufferPointer(rebasing: head[16..<24]).copyBytes(from: constants)
    }
}
