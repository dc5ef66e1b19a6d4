import EventModel

/// The hashes of a tile, and what is computed from them.
enum TileRow {
    /// Returns the bytes of a tile.
    static func bytes(of row: [Digest]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(row.count * Digest.byteCount)
        for hash in row { hash.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// Reads a tile's file.
    static func hashes(of bytes: [UInt8], in tile: Tile) throws(ProofError) -> [Digest] {
        guard bytes.count == tile.maximumBytes else {
            throw .malformedTile(path: tile.path, reason: "it has \(bytes.count) bytes, not \(tile.maximumBytes)")
        }
        return (0..<tile.width).compactMap { Digest(bytes[($0 * Digest.byteCount)..<(($0 + 1) * Digest.byteCount)]) }
    }

    /// Returns the hash over a number of hashes that is a power of two: a node of the tree.
    static func node(of row: some Collection<Digest>) -> Digest {
        var frontier = MerkleFrontier()
        for hash in row { frontier.append(hash) }
        return frontier.root
    }

    /// Returns the root of the tree that ends with these rows, the lowest level first.
    static func root(of rows: [[Digest]]) -> Digest {
        // From right to left: each row is a tree over its hashes to which what lies on the right is the last part.
        var hash: Digest?
        for row in rows {
            var peaks: [Digest] = []
            var rest = row[...]
            while !rest.isEmpty {
                let count = 1 << (Int.bitWidth - 1 - rest.count.leadingZeroBitCount)
                peaks.append(node(of: rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            for peak in peaks.reversed() { hash = hash.map { MerkleHash.node(peak, $0) } ?? peak }
        }
        return hash ?? MerkleHash.empty
    }
}
