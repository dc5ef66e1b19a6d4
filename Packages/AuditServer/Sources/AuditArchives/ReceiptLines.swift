package import EventModel
import EventProofs
import Foundation

/// Reads the receipts that an app kept: a JSON object in each line.
package enum ReceiptLines {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - report: Called with a sentence for each receipt that is left out: because its line was cut off when an app died,
    ///     or because its signature is wrong.
    /// - Returns: The receipts whose signatures hold.
    /// - Throws: ``CommandError/missingFile(_:)``.
    package static func read(_ path: String, _ report: (String) -> Void) throws -> [StorageReceipt] {
        // LIVE: the outermost layer, which names files of this machine.
        guard let bytes = FileManager.default.contents(atPath: path) else { throw CommandError.missingFile(path) }
        var receipts: [StorageReceipt] = []
        for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            guard let receipt = try? JSONDecoder().decode(StorageReceipt.self, from: Data(line)) else {
                report("Line \(number + 1) of \(path) is no receipt.")
                continue
            }
            do throws(ProofError) {
                try receipt.verifySignature()
                receipts.append(receipt)
            } catch {
                report("Line \(number + 1) of \(path): \(error)")
            }
        }
        return receipts
    }
}
