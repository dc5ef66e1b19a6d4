import AuditFormats
package import AuditModel
import Foundation

/// Reads a file of an export record by record, in memory for one record.
package struct ExportRecords {
    /// A record with its place.
    package struct Record {
        /// The bytes with the line feed.
        package let bytes: ArraySlice<UInt8>
        /// Which record of the file it is, from 1.
        package let number: Int
        /// Where it is in the file.
        package let range: Range<UInt64>

        /// The place in words.
        package var place: String { "line \(number) (bytes \(range.lowerBound) to \(range.upperBound - 1))" }
    }

    /// How much is read at once, in bytes.
    private static let pieceBytes = 262_144

    /// Whether a line feed between quotation marks belongs to the record, as in CSV.
    private let isQuoted: Bool
    private let path: String
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var start = 0
    private var offset: UInt64 = 0
    private var number = 0

    /// Opens a file.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be read.
    package init(_ path: String, isQuoted: Bool) throws(AuditServerError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw .inaccessible(path: path, reason: "it cannot be opened")
        }
        self.handle = handle
        self.path = path
        self.isQuoted = isQuoted
    }

    /// Reads the next record; nil at the end.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the file cannot be read.
    package mutating func next() throws(AuditServerError) -> Record? {
        var position = start
        var isInside = false
        while true {
            while position < buffer.count {
                let byte = buffer[position]
                position += 1
                if isQuoted && byte == 0x22 { isInside.toggle() }
                if byte == 0x0A && !isInside { return take(through: position) }
            }
            let piece = try read()
            if piece.isEmpty { return start < buffer.count ? take(through: buffer.count) : nil }
            buffer.removeFirst(start)
            position -= start
            start = 0
            buffer += piece
        }
    }

    private mutating func take(through end: Int) -> Record {
        number += 1
        let range = offset..<(offset + UInt64(end - start))
        let record = Record(bytes: buffer[start..<end], number: number, range: range)
        offset = range.upperBound
        start = end
        return record
    }

    private func read() throws(AuditServerError) -> Data {
        do {
            return try handle.read(upToCount: Self.pieceBytes) ?? Data()
        } catch {
            throw .inaccessible(path: path, reason: "it cannot be read")
        }
    }
}
