/// How a writer reserves space at the end of a file, and how a reader distinguishes it from what was written.
///
/// A sync that does not change the size of the file takes two thirds of the time. So a file is made longer than what is
/// written, by zeros that take no room on the disk. Only a single small frame is written there before the next sync: when
/// the power goes, at most that frame is torn, behind everything that anybody was promised, and only zeros follow it.
enum ReservedSpace {
    /// By how much a file is made longer at a time.
    static let byteCount: UInt64 = 64 << 10
    /// Under a smaller quota nothing is reserved: whoever looks at the files would find them larger than allowed.
    static let smallestQuota: UInt64 = 64 << 20
    /// How many small frames must have come one after the other, each with its own sync, before space is reserved.
    static let patience = 8
    /// A larger frame is not written to reserved space; the time of its sync is that of its bytes.
    static let largestWrite = 16 << 10
    /// The most that can lie behind the last frame that is whole.
    static let largestTail = byteCount + UInt64(largestWrite)
    /// What a disk writes wholly or not at all.
    static let sectorBytes: UInt64 = 512
}
