public import EventModel

/// A batch as it is sent, with the head of the chain behind its last change and the device's signature of that.
///
/// ```
/// "DAYCHNG1"  file  first number  count  { length  body of a change }  chain (32)  signature (64)
/// ```
///
/// Each body can be read alone, see ``Change/body``; so a batch is made of bodies that were kept as they are, and may be
/// cut between any two of them. Fixed numbers are little-endian, all others LEB128.
public struct SignedBatch: Sendable, Hashable {
    /// How many bytes a signature has.
    public static let signatureBytes = 64
    private static let magic = Array("DAYCHNG1".utf8)
    /// The most bytes that may stand around one change: the magic, four numbers, the chain and the signature.
    public static let frameBytes = 8 + 4 * 10 + Digest.byteCount + signatureBytes

    /// All bytes.
    public let bytes: [UInt8]
    /// The number that the server gave the file.
    public let file: UInt32
    /// The number of the first change.
    public let first: Int
    /// Where the body of each change lies in the bytes, without its length: what the chain is over.
    public let changes: [Range<Int>]
    /// The head of the chain behind the last change, as the device says.
    public let chain: Digest
    /// The signature of that by the device's key, which nobody has checked here.
    public let signature: [UInt8]

    /// The bodies of the changes in order.
    public var bodies: [ArraySlice<UInt8>] { changes.map { bytes[$0] } }

    /// The changes, read from their bodies.
    ///
    /// - Throws: The errors of reading a ``Change``; a batch of which the frame is right may have others in it.
    /// - Complexity: O(*n*) in the bytes.
    public var batch: ChangeBatch {
        get throws(ChangeModelError) {
            var read: [Change] = []
            for (index, range) in changes.enumerated() {
                read.append(try Change(number: first + index, body: bytes[range]))
            }
            return ChangeBatch(file: file, changes: read)
        }
    }

    /// Writes a batch of bodies, none of which is read.
    ///
    /// - Parameters:
    ///   - file: The number that the server gave the file.
    ///   - first: The number of the first change; the others follow it.
    ///   - bodies: The bytes of the changes.
    ///   - chain: The chain before the first of them.
    ///   - signing: Returns the signature of the head behind the last one, of ``signatureBytes`` bytes.
    /// - Throws: ``ChangeModelError/tooLarge(bytes:limit:)`` and ``ChangeModelError/tooMany(count:limit:)`` when there is
    ///   more than ``ChangeLimits`` allow, ``ChangeModelError/malformed(offset:reason:)`` when the signature has another
    ///   length.
    /// - Complexity: O(*n*) in the bytes.
    public init(
        file: UInt32,
        first: Int,
        bodies: [[UInt8]],
        after chain: ChangeChain,
        signing: (Digest) -> [UInt8]
    ) throws(ChangeModelError) {
        guard bodies.count <= ChangeLimits.batchChanges else {
            throw .tooMany(count: bodies.count, limit: ChangeLimits.batchChanges)
        }
        var frame = ChangeWriter()
        frame.raw(Self.magic)
        frame.count(UInt64(file))
        frame.count(UInt64(bitPattern: Int64(first)))
        frame.count(bodies.count)
        var ranges: [Range<Int>] = []
        var chain = chain
        for body in bodies {
            guard body.count <= ChangeLimits.changeBytes else {
                throw .tooLarge(bytes: body.count, limit: ChangeLimits.changeBytes)
            }
            frame.count(body.count)
            ranges.append(frame.bytes.count..<frame.bytes.count + body.count)
            frame.raw(body)
            chain = chain.appending(body)
        }
        frame.raw(chain.head.bytes)
        let signature = signing(chain.head)
        frame.raw(signature)
        guard signature.count == Self.signatureBytes else {
            throw .malformed(offset: frame.bytes.count, reason: "A signature has 64 bytes.")
        }
        if bodies.count > 1, frame.bytes.count > ChangeLimits.batchBytes {
            throw .tooLarge(bytes: frame.bytes.count, limit: ChangeLimits.batchBytes)
        }
        self.bytes = frame.bytes
        self.file = file
        self.first = first
        self.changes = ranges
        self.chain = chain.head
        self.signature = signature
    }

    /// Reads the frame of a batch; neither the chain nor the signature is checked, and no change is read.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no batch, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` and ``ChangeModelError/tooMany(count:limit:)`` when there is more
    ///   than ``ChangeLimits`` allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        guard bytes.count <= ChangeLimits.changeBytes + Self.frameBytes else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.changeBytes + Self.frameBytes)
        }
        var reader = ChangeReader(bytes[...])
        guard try reader.raw(Self.magic.count).elementsEqual(Self.magic) else {
            throw .malformed(offset: 0, reason: "A batch of this version begins with DAYCHNG1.")
        }
        let file = try reader.number32()
        let first = try reader.integer()
        let count = try reader.count()
        guard count <= ChangeLimits.batchChanges else { throw .tooMany(count: count, limit: ChangeLimits.batchChanges) }
        guard count <= 1 || bytes.count <= ChangeLimits.batchBytes else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.batchBytes)
        }
        guard first <= Int.max - count else { throw reader.malformed("A number of a change is too large.") }
        var ranges: [Range<Int>] = []
        for _ in 0..<count {
            let body = try reader.raw(try reader.count())
            ranges.append(body.startIndex..<body.endIndex)
        }
        guard let chain = Digest(try reader.raw(Digest.byteCount)) else {
            throw reader.malformed("A hash has 32 bytes.")
        }
        self.signature = Array(try reader.raw(Self.signatureBytes))
        guard reader.remaining == 0 else { throw reader.malformed("Something follows the signature.") }
        self.bytes = bytes
        self.file = file
        self.first = first
        self.changes = ranges
        self.chain = chain
    }
}

// MARK: - Writing changes

extension SignedBatch {
    /// Writes a batch.
    ///
    /// - Parameters:
    ///   - batch: Changes whose numbers follow one another.
    ///   - chain: The chain before the first of them.
    ///   - signing: Returns the signature of the head behind the last one, of ``signatureBytes`` bytes.
    /// - Throws: The errors of writing bodies, and ``ChangeModelError/gap(expected:found:)`` when the numbers of the
    ///   changes do not follow one another.
    public init(
        _ batch: ChangeBatch,
        after chain: ChangeChain,
        signing: (Digest) -> [UInt8]
    ) throws(ChangeModelError) {
        let first = batch.changes.first?.number ?? 0
        for (index, change) in batch.changes.enumerated() where change.number != first + index {
            throw .gap(expected: first + index, found: change.number)
        }
        try self.init(
            file: batch.file,
            first: first,
            bodies: batch.changes.map(\.body),
            after: chain,
            signing: signing
        )
    }
}
