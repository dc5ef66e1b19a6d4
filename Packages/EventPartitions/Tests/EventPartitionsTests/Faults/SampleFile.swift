import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting

/// The file of a partition with several frames and entries of the loss ledger, and what lies where.
struct SampleFile {
    let path: String
    let bytes: [UInt8]
    private let isEncrypted: Bool
    /// What lies beside it: the device's index, and the note of which index the folder belongs to.
    private let surroundings: [String: [UInt8]]
    /// How many events and losses lie in front of each end of an append.
    private let ends: [(size: Int, events: [AuditEvent], losses: UInt64)]

    /// Writes the file; each append ends with a sync.
    init(sealed: Bool, padding: Int = 0, appends: Int = 4, isEncrypted: Bool = false) throws {
        self.isEncrypted = isEncrypted
        let fixture = try DiskFixture(isEncrypted: isEncrypted)
        let files = try fixture.open(limits: PartitionLimits(eventBytes: 5000), ids: SequentialIds())
        var ends: [(size: Int, events: [AuditEvent], losses: UInt64)] = []
        var events: [AuditEvent] = []
        var losses: UInt64 = 0
        let path = "\(fixture.folder.path)/\(ObjectId(high: 0, low: 1)).events"
        for number in 0..<appends {
            var random = SeededGenerator(seed: UInt64(number))
            // Bytes that no packing makes smaller.
            let data = (0..<padding).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let batch = (0...number % 3).map { AuditEvent.sample(number * 3 + $0, data: padding > 0 ? data : nil) }
            // Every other call also brings an event that is too large to be stored, which the ledger counts.
            let refused = number % 2 == 1 ? [AuditEvent.sample(900, data: [UInt8](repeating: 1, count: 6000))] : []
            for (stored, lost) in [(batch, []), ([], refused)] where !(stored + lost).isEmpty {
                _ = try files.append(stored + lost)
                events += stored
                losses += UInt64(lost.count)
                // Behind its content a file may hold reserved space.
                ends.append((Int(try files.partitions().last?.byteCount ?? 0), events, losses))
            }
        }
        if sealed { try files.seal() }
        self.path = path
        bytes = fixture.disk.contents(of: path) ?? []
        self.ends = ends
        surroundings = fixture.surroundings
    }

    /// All events.
    var events: [AuditEvent] { ends.last?.events ?? [] }

    /// Where the last append ends that stored an event.
    var lastEventEnd: Int { ends.first { $0.events == events }?.size ?? 0 }

    /// The ends of whole appends, and of the file.
    var frameEnds: [Int] { ends.map(\.size) }

    /// The end of the last whole append that lies in front of a place.
    func end(before size: Int) -> Int { ends.last { $0.size <= size }?.size ?? 0 }

    /// The events that the first bytes hold at least.
    func events(within size: Int) -> [AuditEvent] { ends.last { $0.size <= size }?.events ?? [] }

    /// The losses that the first bytes hold at least.
    func losses(within size: Int) -> UInt64 { ends.last { $0.size <= size }?.losses ?? 0 }

    /// Puts bytes in the place of the file into a folder of their own.
    func place(_ bytes: [UInt8]) throws -> DiskFixture {
        let fixture = try DiskFixture(isEncrypted: isEncrypted)
        for (path, bytes) in surroundings { fixture.disk.place(bytes, at: path) }
        fixture.disk.place(bytes, at: path)
        return fixture
    }
}
