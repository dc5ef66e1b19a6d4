import EventModel
import EventProofs
import Foundation

@testable import EventPartitions

/// The files in `Golden`: what this version of the format looks like, byte for byte.
enum GoldenFile: String, CaseIterable, Sendable {
    case plain = "000000000000000000000001"
    case packed = "000000000000000000000002"
    case encrypted = "000000000000000000000003"
    case torn = "000000000000000000000004"

    /// The key that signs the seals.
    static let deviceKey = DeviceKey(rawRepresentation: (0..<32).map { UInt8($0) })
    /// Whose the files are.
    static let owner = EventOwner(app: "golden-app", user: "0000000000000000000000aa")
    static let encryptionKey = Result { try EventEncryptionKey((0..<32).map { UInt8(200 + $0) }) }

    /// What the encrypted file is read with.
    var key: EventEncryptionKey? { self == .encrypted ? try? Self.encryptionKey.get() : nil }

    /// Where the file lies among the resources of the tests.
    var path: String? { Bundle.module.path(forResource: rawValue, ofType: "events", inDirectory: "Golden") }

    /// Where the same file lies as an earlier version sealed it, without its owner; nil for the one without a seal.
    var earlierPath: String? {
        Bundle.module.path(forResource: rawValue, ofType: "events", inDirectory: "Golden/Seal1")
    }

    /// The events that can be read of it.
    var events: [AuditEvent] {
        switch self {
        case .plain: [.sample(1), .sample(2), .sample(300, data: [0xFF, 0x00, 0x0A])]
        case .packed: [.sample(1), rows, .sample(3)]
        case .encrypted: [.sample(1), rows]
        case .torn: [.sample(1), .sample(2)]
        }
    }

    /// Forty rows of JSON with numbers that go up, down and stay, in texts that need several bytes for a character.
    private var rows: AuditEvent {
        let rows = (0..<40).map { "{\"_id\":\(100 + $0),\"bed\":\(999 - $0),\"name\":\"Żółw \(7 * $0)\",\"ward\":512}" }
        return .sample(2, data: Array("{\"type\":\"Bed\",\"value\":[\(rows.joined(separator: ","))]}".utf8))
    }

    /// Whether its bytes are those of one version of zlib; others may compress the same content to other bytes.
    var dependsOnZlib: Bool { self == .packed || self == .encrypted }

    /// Writes the file anew.
    func write(to path: String) throws {
        let id = PartitionID(prefix: "golden", id: try ObjectId(string: rawValue))
        let system = POSIXFileSystem()
        let file = try system.open(path, .create)
        var writer = try PartitionWriter(
            creating: id,
            path: path,
            file: file,
            fileSystem: system,
            cipher: key.map { PartitionCipher($0, salt: (0..<16).map { UInt8(16 * $0) }, of: id.id) },
            created: EventInstant(microseconds: 1_764_000_000_000_000),
            owner: Self.owner
        )
        for event in self == .torn ? events + [.sample(3)] : events {
            var block = EventBlock()
            event.encoded.withUnsafeBytes { block.append(encoded: $0, at: event.timestamp) }
            try writer.stage(block)
            // Each event is a frame of its own.
            try writer.flush()
        }
        guard self != .torn else { return try file.truncate(to: file.size() - 1) }
        if self == .plain {
            try writer.stage(LossEntry(reason: .tooLarge, count: 2, noticed: EventInstant(microseconds: 5)))
        }
        guard let key = Self.deviceKey else { return }
        try writer.flush()
        let (number, previousRoot): (UInt64, Digest?) = self == .plain ? (1, nil) : (2, MerkleHash.leaf([UInt8]()))
        let place = ChainPlace(number: number, previousRoot: previousRoot, ledgerPart: 0)
        try writer.close(with: writer.signed(by: key, of: Self.owner, at: place).seal)
    }
}
