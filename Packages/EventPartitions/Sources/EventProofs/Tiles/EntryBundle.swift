/// The entries of a tile, each behind its length: the form in which tlog-tiles has them.
///
/// A length has two bytes, big-endian.
public enum EntryBundle {
    /// How many bytes an entry may have.
    public static let maximumEntryBytes = 65_535

    /// Returns the bytes of entries.
    ///
    /// - Precondition: No entry is longer than ``maximumEntryBytes``.
    static func append(_ entry: [UInt8], to bytes: inout [UInt8]) {
        precondition(entry.count <= maximumEntryBytes, "An entry of a bundle has at most 65,535 bytes.")
        bytes.append(UInt8(entry.count >> 8))
        bytes.append(UInt8(entry.count & 0xFF))
        bytes.append(contentsOf: entry)
    }

    /// Reads the entries of a bundle.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - tile: Its name.
    /// - Returns: As many entries as the tile is wide.
    /// - Throws: ``ProofError/malformedTile(path:reason:)`` when the file ends within an entry, has fewer, or more than a full one.
    public static func entries(of bytes: [UInt8], in tile: Tile) throws(ProofError) -> [ArraySlice<UInt8>] {
        var entries: [ArraySlice<UInt8>] = []
        var place = 0
        while place < bytes.count {
            guard entries.count < Tile.fullWidth else {
                throw .malformedTile(path: tile.path, reason: "it has more than \(Tile.fullWidth) entries")
            }
            guard bytes.count - place >= 2 else {
                throw .malformedTile(path: tile.path, reason: "it ends within the length of an entry")
            }
            let count = Int(bytes[place]) << 8 | Int(bytes[place + 1])
            place += 2
            guard bytes.count - place >= count else {
                throw .malformedTile(path: tile.path, reason: "it ends within an entry")
            }
            entries.append(bytes[place..<(place + count)])
            place += count
        }
        guard entries.count == tile.width else {
            throw .malformedTile(path: tile.path, reason: "it has \(entries.count) entries, not \(tile.width)")
        }
        return entries
    }
}
