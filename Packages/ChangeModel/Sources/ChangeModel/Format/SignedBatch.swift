public import EventModel

/// A batch as it is sent, with the head of the chain behind its last change and the device's signature of that.
///
/// ```
/// "DAYCHNG1"  file  first number  count  { length  change }  chain (32)  signature (64)
/// change = base  clock  flags  [event (12)]  new names  operations
/// ```
///
/// Bases and clocks are differences to those of the change before. Names of classes and properties are written once in
/// a batch, in the change that uses them first. Fixed numbers are little-endian, all others LEB128.
public struct SignedBatch: Sendable, Hashable {
    /// How many bytes a signature has.
    public static let signatureBytes = 64
    private static let magic = Array("DAYCHNG1".utf8)
    /// What may stand around the changes: the magic, three numbers, the chain and the signature.
    private static let frameBytes = 8 + 3 * 10 + Digest.byteCount + signatureBytes

    /// All bytes.
    public let bytes: [UInt8]
    /// Where the bytes of each change lie, without their lengths: what the chain is over.
    public let changes: [Range<Int>]
    /// The changes.
    public let batch: ChangeBatch
    /// The head of the chain behind the last change, as the device says.
    public let chain: Digest
    /// The signature of that by the device's key, which nobody has checked here.
    public let signature: [UInt8]

    /// Writes a batch.
    ///
    /// - Parameters:
    ///   - batch: Changes whose numbers follow one another.
    ///   - chain: The chain before the first of them.
    ///   - signing: Returns the signature of the head behind the last one, of ``signatureBytes`` bytes.
    /// - Throws: ``ChangeModelError/tooLarge(bytes:limit:)`` when a change or the batch is larger than ``ChangeLimits``
    ///   allow, ``ChangeModelError/malformed(offset:reason:)`` when the numbers of the changes do not follow one
    ///   another or the signature has another length.
    public init(
        _ batch: ChangeBatch,
        after chain: ChangeChain,
        signing: (Digest) -> [UInt8]
    ) throws(ChangeModelError) {
        var frame = ChangeWriter()
        frame.raw(Self.magic)
        frame.count(UInt64(batch.file))
        frame.count(UInt64(bitPattern: Int64(batch.changes.first?.number ?? 0)))
        frame.count(batch.changes.count)
        var ranges: [Range<Int>] = []
        var names: [ExactText: Int] = [:]
        var before: Change?
        var chain = chain
        for change in batch.changes {
            if let before, change.number != before.number &+ 1 {
                throw .malformed(offset: frame.bytes.count, reason: "The numbers of changes follow one another.")
            }
            let body = change.encoded(after: before, &names)
            guard body.count <= ChangeLimits.changeBytes else {
                throw .tooLarge(bytes: body.count, limit: ChangeLimits.changeBytes)
            }
            frame.count(body.count)
            ranges.append(frame.bytes.count..<frame.bytes.count + body.count)
            frame.raw(body)
            chain = chain.appending(body)
            before = change
        }
        frame.raw(chain.head.bytes)
        let signature = signing(chain.head)
        frame.raw(signature)
        guard signature.count == Self.signatureBytes else {
            throw .malformed(offset: frame.bytes.count, reason: "A signature has 64 bytes.")
        }
        if batch.changes.count > 1, frame.bytes.count > ChangeLimits.batchBytes {
            throw .tooLarge(bytes: frame.bytes.count, limit: ChangeLimits.batchBytes)
        }
        self.bytes = frame.bytes
        self.changes = ranges
        self.batch = batch
        self.chain = chain.head
        self.signature = signature
    }

    /// Reads a batch, of which neither the chain nor the signature is checked.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no batch, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` when a part of them is larger than ``ChangeLimits`` allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        guard bytes.count <= ChangeLimits.changeBytes + Self.frameBytes + 10 else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.changeBytes + Self.frameBytes + 10)
        }
        var reader = ChangeReader(bytes[...])
        guard try reader.raw(Self.magic.count).elementsEqual(Self.magic) else {
            throw .malformed(offset: 0, reason: "A batch of this version begins with DAYCHNG1.")
        }
        guard let file = UInt32(exactly: try reader.number()) else { throw reader.malformed("A file has 32 bits.") }
        let first = try reader.integer()
        let count = try reader.count()
        guard count <= 1 || bytes.count <= ChangeLimits.batchBytes else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.batchBytes)
        }
        guard first <= Int.max - count else { throw reader.malformed("A number of a change is too large.") }
        var ranges: [Range<Int>] = []
        var changes: [Change] = []
        var names: [ExactText] = []
        for index in 0..<count {
            let body = try reader.raw(try reader.count())
            ranges.append(body.startIndex..<body.endIndex)
            changes.append(try Change(body, number: first + index, after: changes.last, &names))
        }
        guard let chain = Digest(try reader.raw(Digest.byteCount)) else {
            throw reader.malformed("A hash has 32 bytes.")
        }
        self.signature = Array(try reader.raw(Self.signatureBytes))
        guard reader.remaining == 0 else { throw reader.malformed("Something follows the signature.") }
        self.bytes = bytes
        self.changes = ranges
        self.batch = ChangeBatch(file: file, changes: changes)
        self.chain = chain
    }
}
