/// What makes the derived keys of each file its own: twelve random bytes, which the file begins with behind a mark.
struct FileSalt: Equatable {
    /// The letters `DSE1`: a sealed file, in the first format.
    static let mark: [UInt8] = [0x44, 0x53, 0x45, 0x31]
    /// How many bytes the mark and the salt take, as many as the words that a plain file begins with.
    static let headCount = 16

    let bytes: [UInt8]

    /// A salt for a new file.
    static func random() -> FileSalt {
        // LIVE: only the system's generator is fit for keys.
        var generator = SystemRandomNumberGenerator()
        return FileSalt(bytes: (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads what a file begins with; nil when that is no mark of a sealed file.
    init?(head: UnsafeRawBufferPointer) {
        guard head.count >= Self.headCount, head.prefix(4).elementsEqual(Self.mark) else { return nil }
        bytes = Array(head[4..<16])
    }

    /// Writes what a file begins with.
    func write(to head: UnsafeMutableRawPointer) {
        for (place, byte) in (Self.mark + bytes).enumerated() {
            head.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
    }
}
