import AuditFormats
package import AuditModel
import EventModel
import Foundation

/// An export as one file: a zip without compression, which has the same bytes for the same export.
///
/// Every tool reads one. What is read here is one that was written here: others' may be packed in ways with which a small file
/// becomes a huge one, or a name one of another folder, so they are unpacked by hand and verified as a folder.
///
/// ```
/// local header, name, bytes      of each file, in the order of ``names``
/// central header, name           of each
/// end                            22 bytes
/// ```
package enum ExportArchive {
    /// The names of the files, in their order; nothing else is written or read.
    package static let names: [String] =
        ExportFormat.allCases.map(\.fileName)
        + [
            ExportManifest.proofsName, ExportManifest.checkpointName, ExportManifest.stampedName,
            ExportManifest.stampName, ExportManifest.coverName, ExportManifest.fileName, ExportSignature.fileName,
        ]

    /// How much is read at once, in bytes.
    private static let pieceBytes = 262_144
    /// The most bytes of an archive: its numbers have four bytes, and the largest one means something else.
    private static let maximumBytes = UInt64(UInt32.max) - 1

    /// One file of an archive.
    struct Entry: Hashable {
        static let localBytes = 30
        static let centralBytes = 46
        static let endBytes = 22

        let name: String
        let crc: UInt32
        let size: UInt32
        let offset: UInt32

        /// What both headers have: version 2.0, stored, the first day that the form knows.
        private var common: [UInt8] {
            Self.short(20, 0, 0, 0, 0x21) + Self.long(crc, size, size) + Self.short(UInt16(name.utf8.count), 0)
        }

        /// The header in front of the file.
        var local: [UInt8] { [0x50, 0x4B, 3, 4] + common + Array(name.utf8) }

        /// The header behind all files: that of a regular file of its owner alone, made on Unix.
        var central: [UInt8] {
            [0x50, 0x4B, 1, 2, 20, 3] + common + Self.short(0, 0, 0) + Self.long(0o100600 << 16, offset)
                + Array(name.utf8)
        }

        /// The end of an archive of so many files, whose headers are somewhere.
        static func end(_ count: Int, from offset: UInt32, bytes size: UInt32) -> [UInt8] {
            [0x50, 0x4B, 5, 6] + short(0, 0, UInt16(count), UInt16(count)) + long(size, offset) + short(0)
        }

        private static func short(_ numbers: UInt16...) -> [UInt8] {
            numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        }

        private static func long(_ numbers: UInt32...) -> [UInt8] {
            numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        }
    }

    /// Returns whether a file begins as an archive does.
    package static func isOne(_ path: String) -> Bool {
        guard !PrivateFile.isFolder(path), let handle = FileHandle(forReadingAtPath: path) else { return false }
        do {
            return try handle.read(upToCount: 4).map { Array($0) } == [0x50, 0x4B, 3, 4]
        } catch {
            // Whoever opens it next says why it cannot be read.
            return false
        }
    }

    // MARK: - Writing

    /// Puts the files of an export into an archive, which only its owner may read.
    ///
    /// - Parameters:
    ///   - folder: The folder of the export.
    ///   - path: The file to make.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when there is something, a file cannot be read, or all are too large.
    package static func write(_ folder: String, to path: String) throws(AuditServerError) {
        let file = try PrivateFile.create(path)
        defer { file.close() }
        var entries: [Entry] = []
        var position: UInt64 = 0
        func append(_ bytes: [UInt8]) throws(AuditServerError) {
            do throws(FileSystemError) {
                try file.writeAll(bytes, at: position)
            } catch {
                throw .inaccessible(path: path, reason: error.reason)
            }
            position += UInt64(bytes.count)
        }
        for name in names where PrivateFile.exists("\(folder)/\(name)") {
            var crc = CRC32()
            var size: UInt64 = 0
            try read("\(folder)/\(name)") { bytes throws(AuditServerError) in
                crc.add(bytes)
                size += UInt64(bytes.count)
            }
            guard position + size < maximumBytes - 65_536 else {
                throw .inaccessible(
                    path: path,
                    reason: "a zip holds at most 4 GiB; hand over the folder, made with --out"
                )
            }
            let entry = Entry(name: name, crc: crc.value, size: UInt32(size), offset: UInt32(position))
            entries.append(entry)
            try append(entry.local)
            let end = position + size
            try read("\(folder)/\(name)") { bytes throws(AuditServerError) in try append(bytes) }
            guard position == end else {
                throw .inaccessible(path: "\(folder)/\(name)", reason: "it was changed meanwhile")
            }
        }
        let start = UInt32(position)
        for entry in entries { try append(entry.central) }
        try append(Entry.end(entries.count, from: start, bytes: UInt32(position) - start))
        do throws(FileSystemError) {
            try file.synchronize()
        } catch {
            throw .inaccessible(path: path, reason: error.reason)
        }
    }

    private static func read(
        _ path: String,
        _ body: ([UInt8]) throws(AuditServerError) -> Void
    ) throws(AuditServerError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw .inaccessible(path: path, reason: "it cannot be opened")
        }
        while let piece = try piece(of: handle, path, pieceBytes) { try body(piece) }
    }

    /// Reads on; nil at the end.
    private static func piece(of handle: FileHandle, _ path: String, _ count: Int) throws(AuditServerError) -> [UInt8]?
    {
        do {
            guard let piece = try handle.read(upToCount: count), !piece.isEmpty else { return nil }
            return Array(piece)
        } catch {
            throw .inaccessible(path: path, reason: "it cannot be read")
        }
    }

    // MARK: - Reading

    /// Puts the files of an archive into a folder.
    ///
    /// Everything but the bytes of the files is compared with what ``write(_:to:)`` writes for them, so that nothing hides between them, and
    /// what comes out is never larger than the archive.
    ///
    /// - Parameters:
    ///   - path: The archive.
    ///   - folder: An empty folder.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it is another zip, is damaged, or a file cannot be written.
    package static func unpack(_ path: String, into folder: String) throws(AuditServerError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw .inaccessible(path: path, reason: "it cannot be opened")
        }
        let foreign = AuditServerError.inaccessible(
            path: path,
            reason:
                "it is no zip of 'daybook export', or it is cut off; unpack it with another program, and verify the folder"
        )
        for entry in try entries(handle, path, foreign) {
            try seek(handle, UInt64(entry.offset), path)
            guard try bytes(handle, path, entry.local.count, foreign) == entry.local else { throw foreign }
            let target = "\(folder)/\(entry.name)"
            let file = try PrivateFile.create(target)
            defer { file.close() }
            var (crc, position) = (CRC32(), UInt64(0))
            while position < UInt64(entry.size) {
                let piece = try bytes(handle, path, min(pieceBytes, Int(UInt64(entry.size) - position)), foreign)
                crc.add(piece)
                do throws(FileSystemError) {
                    try file.writeAll(piece, at: position)
                } catch {
                    throw .inaccessible(path: target, reason: error.reason)
                }
                position += UInt64(piece.count)
            }
            guard crc.value == entry.crc else {
                throw .inaccessible(
                    path: path,
                    reason: "the checksum of \(entry.name) in it is wrong: it was damaged or changed"
                )
            }
        }
    }

    /// Reads the headers at the end, which have to be of our files, one behind the other.
    private static func entries(
        _ handle: FileHandle,
        _ path: String,
        _ foreign: AuditServerError
    ) throws(AuditServerError) -> [Entry] {
        let size: UInt64
        do {
            size = try handle.seekToEnd()
        } catch {
            throw .inaccessible(path: path, reason: "it cannot be read")
        }
        guard size >= Entry.endBytes, size <= maximumBytes else { throw foreign }
        try seek(handle, size - UInt64(Entry.endBytes), path)
        let end = try bytes(handle, path, Entry.endBytes, foreign)
        let (count, length, start) = (number(end, 10, 2), number(end, 12, 4), number(end, 16, 4))
        guard count <= names.count, length <= UInt32(count) * 128,
            end == Entry.end(Int(count), from: start, bytes: length),
            UInt64(start) + UInt64(length) + UInt64(Entry.endBytes) == size
        else { throw foreign }
        try seek(handle, UInt64(start), path)
        var rest = try bytes(handle, path, Int(length), foreign)[...]
        var entries: [Entry] = []
        var position: UInt64 = 0
        var known = names[...]
        for _ in 0..<count {
            let header = Array(rest.prefix(Entry.centralBytes))
            guard header.count == Entry.centralBytes else { throw foreign }
            let name = String(decoding: rest.dropFirst(header.count).prefix(Int(number(header, 28, 2))), as: UTF8.self)
            // Each name once, and in their order.
            guard let place = known.firstIndex(of: name) else { throw foreign }
            known = known[(place + 1)...]
            let entry = Entry(
                name: name,
                crc: number(header, 16, 4),
                size: number(header, 20, 4),
                offset: UInt32(position)
            )
            guard rest.starts(with: entry.central) else { throw foreign }
            rest = rest.dropFirst(entry.central.count)
            position += UInt64(entry.local.count) + UInt64(entry.size)
            guard position <= UInt64(start) else { throw foreign }
            entries.append(entry)
        }
        guard rest.isEmpty, position == UInt64(start) else { throw foreign }
        return entries
    }

    private static func seek(_ handle: FileHandle, _ offset: UInt64, _ path: String) throws(AuditServerError) {
        do {
            try handle.seek(toOffset: offset)
        } catch {
            throw .inaccessible(path: path, reason: "it cannot be read")
        }
    }

    /// Reads exactly so many bytes.
    private static func bytes(
        _ handle: FileHandle,
        _ path: String,
        _ count: Int,
        _ foreign: AuditServerError
    ) throws(AuditServerError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let piece = try piece(of: handle, path, count - bytes.count) else { throw foreign }
            bytes += piece
        }
        return bytes
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt32 {
        bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
