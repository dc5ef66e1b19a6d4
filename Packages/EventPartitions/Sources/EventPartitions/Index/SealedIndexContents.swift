import EventModel
import EventProofs

/// What the file of an index holds, as far as it was read: a preamble and a frame for each record.
struct SealedIndexContents: Sendable {
    /// Why the bytes are no index of this device that anything can be believed of; a part of a sentence.
    struct Damage: Error, Sendable, Hashable {
        let reason: String
    }

    /// The first bytes of a file, up to the end of the first frame's header: another file has others.
    static let beginningBytes = PartitionPreamble.byteCount + FrameHeader.byteCount
    /// What is read of a file at once.
    private static let maximumBytes: UInt64 = 1 << 30

    /// The id of the index.
    let id: ObjectId
    /// The key that signs it.
    private(set) var publicKey: [UInt8] = []
    /// What the records say.
    private(set) var state = SealedIndexState()
    /// The bytes that distinguish this file from the next one.
    private(set) var beginning: [UInt8] = []
    /// Where the header of the last record lies, and what it is.
    private(set) var last: (offset: UInt64, header: [UInt8]) = (0, [])
    /// Where the next record goes.
    private(set) var end = UInt64(PartitionPreamble.byteCount)
    /// The size of the file, with the space that is reserved for later records.
    var size: UInt64 = 0
    /// Whether bytes of a record that was never completed lie behind the last one.
    private(set) var hasTornTail = false
    /// The signature of the last record as long as it was not checked, which a read that failed may leave behind.
    private var unchecked: [UInt8]?

    /// Begins an index.
    init(id: ObjectId) {
        self.id = id
    }

    /// Reads a whole file.
    ///
    /// - Throws: ``Damage`` when it is no index, or records of it are not what was written, and `FileSystemError`.
    init(_ file: any OpenFile) throws {
        let size = try file.size()
        guard size <= Self.maximumBytes else { throw Damage(reason: "it has \(size) bytes") }
        let preamble = try file.bytes(at: 0, count: PartitionPreamble.byteCount)
        guard let id = preamble.withUnsafeBytes({ PartitionPreamble.partition(in: $0, .index) }) else {
            let newer = preamble.withUnsafeBytes { PartitionPreamble.newerVersion(in: $0, .index) }
            throw Damage(reason: newer == nil ? "it does not start as an index does" : "a newer version wrote it")
        }
        self.init(id: id)
        try read(file, to: size)
        guard state.recordCount > 0 else { throw Damage(reason: "it holds no record") }
        beginning = try file.bytes(at: 0, count: Self.beginningBytes)
    }

    /// Whether a file is the one that was read, and has only become longer.
    func isContinued(by file: any OpenFile) throws(FileSystemError) -> Bool {
        guard try file.bytes(at: 0, count: beginning.count) == beginning else { return false }
        return try file.bytes(at: last.offset, count: last.header.count) == last.header
    }

    /// Reads the records behind those that are known, and checks the signature of the last one.
    ///
    /// - Throws: ``Damage`` when they are not what was written, and `FileSystemError`.
    mutating func read(_ file: any OpenFile, to size: UInt64) throws {
        self.size = size
        hasTornTail = false
        var scanner = FrameScanner(file, partition: id, from: end, to: size)
        var torn: Range<UInt64>?
        while let finding = try scanner.next() {
            switch finding {
            case .frame(let frame):
                if let torn { try Self.check(torn, file) }
                if torn == nil { unchecked = try take(frame) }
            case .damage(let range, _), .tornTail(let range): torn = torn ?? range
            case .reserved: break
            }
        }
        hasTornTail = torn != nil
        guard let signature = unchecked else { return }
        guard DeviceSignature.isValid(signature, for: statement, by: publicKey) else {
            throw Damage(reason: "its last record is not signed by its key")
        }
        unchecked = nil
    }

    /// The bytes that the signature of the last record is over.
    var statement: [UInt8] { Self.statement(id, state.recordCount, state.chain, by: publicKey) }

    static func statement(_ id: ObjectId, _ recordCount: UInt64, _ chain: Digest, by publicKey: [UInt8]) -> [UInt8] {
        var statement = SignedStatement("DAYINDX1")
        statement.append(counted: id.withUnsafeBytes { Array($0) })
        statement.append(recordCount)
        statement.append(chain)
        statement.append(counted: publicKey)
        return statement.bytes
    }

    /// Takes over the record of a frame.
    ///
    /// - Returns: Its signature.
    private mutating func take(_ frame: FrameScanner.Frame) throws(Damage) -> [UInt8] {
        let place = "the record at byte \(frame.offset)"
        guard frame.header.kind == .record, frame.payload.count > DeviceSignature.byteCount else {
            throw Damage(reason: "\(place) is not one of an index")
        }
        let bytes = frame.payload.dropLast(DeviceSignature.byteCount)
        guard let record = SealedIndexRecord(bytes: bytes) else { throw Damage(reason: "\(place) cannot be read") }
        if case .head(let head) = record {
            guard state.recordCount == 0 else { throw Damage(reason: "\(place) begins another index") }
            publicKey = head.publicKey
        } else if state.recordCount == 0 {
            throw Damage(reason: "\(place) is not the first one of an index")
        }
        state.apply(record, bytes: bytes)
        guard frame.header.firstSequence == state.recordCount else {
            throw Damage(reason: "\(place) is not the one that comes next")
        }
        end = frame.end
        last = (frame.offset, frame.header.bytes(at: frame.offset, of: id))
        return Array(frame.payload.suffix(DeviceSignature.byteCount))
    }

    /// A record that is about to be written, at the place that ``end`` is until it is taken over.
    struct Addition {
        fileprivate let record: SealedIndexRecord
        fileprivate let bytes: [UInt8]
        fileprivate let header: [UInt8]
        /// The bytes of its frame.
        let frame: [UInt8]
    }

    /// Signs the next record; nothing changes before it is taken over.
    ///
    /// - Throws: What the system's cryptography throws when it cannot sign.
    func addition(of record: SealedIndexRecord, signedBy key: DeviceKey) throws -> Addition {
        let bytes = record.bytes
        var signer = publicKey
        if case .head(let head) = record { signer = head.publicKey }
        let (recordCount, chain) = state.chain(with: record, bytes: bytes)
        let payload = bytes + (try key.sign(Self.statement(id, recordCount, chain, by: signer)))
        let frame = payload.withUnsafeBytes {
            FrameHeader(kind: .record, payload: $0, firstSequence: recordCount, eventCount: 0)
        }
        let header = frame.bytes(at: end, of: id)
        return Addition(record: record, bytes: bytes, header: header, frame: header + payload)
    }

    /// Takes over a record that was written.
    mutating func add(_ addition: Addition) {
        if case .head(let head) = addition.record { publicKey = head.publicKey }
        state.apply(addition.record, bytes: addition.bytes[...])
        last = (end, addition.header)
        end += UInt64(addition.frame.count)
    }

    /// Notes the first bytes of a file that was written anew.
    mutating func didBegin(_ bytes: [UInt8]) {
        beginning = Array(bytes.prefix(Self.beginningBytes))
    }

    /// Checks that bytes which are no record, in front of others that are, were never written.
    ///
    /// Nobody waits for some records, so they may reach the disk in any order when the power goes, sector by sector. A record
    /// that is wrong and has nothing behind it was being written: what it said is not relied on.
    private static func check(_ range: Range<UInt64>, _ file: any OpenFile) throws {
        let bytes = try file.bytes(at: range.lowerBound, count: Int(min(UInt64(range.count), 1 << 16)))
        var start = range.lowerBound
        let end = range.lowerBound + UInt64(bytes.count)
        while start < end {
            let next = min((start / ReservedSpace.sectorBytes + 1) * ReservedSpace.sectorBytes, end)
            let part = bytes[Int(start - range.lowerBound)..<Int(next - range.lowerBound)]
            if part.withUnsafeBytes(\.isZero) { return }
            start = next
        }
        throw Damage(reason: "bytes \(range.lowerBound) to \(range.upperBound) are not what was written")
    }
}
