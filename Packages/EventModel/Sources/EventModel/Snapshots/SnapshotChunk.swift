/// A block of memory that packed rows of one class lie in, shared by all their snapshots.
///
/// One writer appends rows; a row is never changed after its snapshot exists.
public final class SnapshotChunk: @unchecked Sendable {
    // SAFETY: bytes below `used` are written before the snapshot that names them is made and never again;
    // `used` itself is touched by the one writer only.

    /// How many bytes an ordinary chunk has.
    public static let standardByteCount = 64 * 1024

    /// The shape of the rows.
    public let shape: ClassShape
    @usableFromInline let base: UnsafeMutableRawPointer
    @usableFromInline let capacity: Int
    @exclusivity(unchecked)
    @usableFromInline var used = 0

    /// Creates an empty chunk.
    @usableFromInline
    init(shape: ClassShape, capacity: Int) {
        self.shape = shape
        self.capacity = capacity
        base = .allocate(byteCount: capacity, alignment: 8)
    }

    /// Returns the snapshot of a row, for whoever keeps many rows of a chunk by their places alone.
    ///
    /// - Parameter place: The ``ObjectSnapshot/place`` of a snapshot of this chunk, of the chunk's own shape.
    /// - Returns: A snapshot equal to that one.
    @inlinable
    public func snapshot(at place: Int) -> ObjectSnapshot {
        ObjectSnapshot(chunk: self, shape: shape, offset: place)
    }

    /// Returns the bytes of a row, valid as long as the chunk is alive.
    ///
    /// - Parameter place: The ``ObjectSnapshot/place`` of a snapshot of this chunk.
    /// - Returns: The whole row, see ``ObjectSnapshot/rowBytes``.
    @inlinable
    public func rowBytes(at place: Int) -> UnsafeRawBufferPointer {
        let start = UnsafeRawPointer(base) + place
        let count = start.loadUnaligned(fromByteOffset: RowHeader.length, as: UInt32.self)
        return UnsafeRawBufferPointer(start: start, count: Int(count))
    }

    deinit {
        base.deallocate()
    }
}
