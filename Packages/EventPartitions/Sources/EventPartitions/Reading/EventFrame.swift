import EventModel

/// The events of a frame, as their canonical encodings.
struct EventFrame: Sendable {
    let partition: ObjectId
    let firstSequence: UInt64
    /// Where the frame lies in the file.
    let bytes: Range<UInt64>
    /// The content, decrypted and unpacked.
    let payload: [UInt8]
    /// Where each event lies in the payload.
    let ranges: [Range<Int>]

    /// Calls the closure with the bytes of an event.
    func withEvent<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try payload.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[ranges[index]])) }
    }
}
