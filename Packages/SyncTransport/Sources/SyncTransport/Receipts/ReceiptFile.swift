import EventModel
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the receipts of partitions that a server took as a whole: one line of JSON each, in the order of their time.
///
/// Bounded: a file that has become large takes the place of the one before it, so the newest receipts are always there.
final class ReceiptFile: Sendable {
    /// The size at which the next file is begun, in bytes; some 8,000 receipts.
    static let fileBytes = 4 << 20

    private let file: OwnerFile
    private let earlier: OwnerFile
    private let limit: Int
    private let writing = Mutex<Void>(())

    /// Names the file; nothing is read or made.
    init(path: String, limit: Int = ReceiptFile.fileBytes) {
        file = OwnerFile(path: path)
        earlier = OwnerFile(path: "\(path).earlier")
        self.limit = limit
    }

    /// Appends a receipt and returns when it is on the disk.
    func append(_ receipt: KeptReceipt) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The line break in front ends a line that was cut off when a process died.
        let line = [0x0A] + Array(try encoder.encode(receipt)) + [0x0A]
        try writing.withLock { _ in
            guard try file.append(line) >= limit else { return }
            try file.rename(to: earlier.path)
        }
    }

    /// Reads the receipts, the oldest first; lines that cannot be read are left out.
    ///
    /// - Complexity: O(*n*) in the size of the files.
    func receipts() throws -> [StorageReceipt] { try keptReceipts().map(\.receipt) }

    /// Reads the receipts with the hashes of the seals that were sent, as ``receipts()`` does.
    func keptReceipts() throws -> [KeptReceipt] {
        let contents = try writing.withLock { _ in (try earlier.read() ?? []) + [0x0A] + (try file.read() ?? []) }
        let decoder = JSONDecoder()
        return contents.split(separator: 0x0A).compactMap { try? decoder.decode(KeptReceipt.self, from: Data($0)) }
    }
}
