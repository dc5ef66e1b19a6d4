import AuditModel
import EventProofs
import HTTPTypes
import HummingbirdCore
import LogPublishing
import NIOCore

/// The published log under the paths of tlog-tiles: checkpoint and hashes for everybody, entries for whom nothing is withheld from.
///
/// Nothing of it asks the database: the checkpoint is in memory, and the rest are files. The checkpoint is the newest that enough witnesses
/// cosigned, as `CosignedLog` says. Hashes say nothing of what they are over, as
/// each entry has a signature that nobody can guess; entries name apps, users and partitions.
struct PublishedLogRoutes: Sendable {
    /// How many elements the number of a tile may have, with that of its width: enough for 256 thousand million entries.
    private static let elements = ["a", "b", "c", "d"]

    let publisher: LogPublisher?
    let cosigned: CosignedLog?

    func add(to api: API) {
        api.root.get("log/checkpoint", .anyone, checkpoint)
        for count in 1...Self.elements.count {
            let number = Self.elements.prefix(count).map { ":\($0)" }.joined(separator: "/")
            api.root.get("log/tile/entries/\(number)", .unlimitedAuditor, entries)
            api.root.get("log/tile/:level/\(number)", .anyone, hashes)
        }
    }

    private func checkpoint(_: Request, _: AuditRequestContext, _: Anyone) throws -> Response {
        guard let shown = cosigned?.shown else { throw missing }
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: shown.note.bytes))
        )
    }

    private func hashes(_: Request, _ context: AuditRequestContext, _: Anyone) throws -> Response {
        let tile = try tile(context.pathPart("level") ?? "", context)
        guard case .hashes = tile.content, let bytes = try bytes(of: tile) else { throw missing }
        return Self.answer(bytes, keptBy: "public")
    }

    private func entries(_: Request, _ context: AuditRequestContext, _: EventAccess) throws -> Response {
        guard let bytes = try bytes(of: tile("entries", context)) else { throw missing }
        return Self.answer(bytes, keptBy: "private")
    }

    /// The tile that a path names exactly as its own path does, so that no other file can be meant.
    private func tile(_ place: String, _ context: AuditRequestContext) throws(AuditServerError) -> Tile {
        let number = Self.elements.compactMap { context.pathPart($0) }.joined(separator: "/")
        guard let tile = Tile(path: "tile/\(place)/\(number)") else { throw missing }
        return tile
    }

    private func bytes(of tile: Tile) throws -> [UInt8]? {
        // What is not in the newest checkpoint may be half of what is being written.
        guard let publisher, let size = publisher.newest?.checkpoint.size, tile.isPart(ofLogOf: size) else {
            return nil
        }
        return try publisher.folder.tiles.bytes(of: tile, limit: tile.maximumBytes)
    }

    /// Tiles never change: whoever has one may keep it for ever.
    private static func answer(_ bytes: [UInt8], keptBy cache: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream", .xContentTypeOptions: "nosniff",
                .cacheControl: "\(cache), max-age=31536000, immutable",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    private var missing: AuditServerError { .missing(what: "file of the log") }
}

extension Tile {
    /// Whether a log of so many entries has all that the tile is over.
    fileprivate func isPart(ofLogOf size: UInt64) -> Bool {
        var nodes = size
        if case .hashes(let level) = content {
            for _ in 0..<level { nodes /= UInt64(Tile.fullWidth) }
        }
        let (first, isTooLarge) = index.multipliedReportingOverflow(by: UInt64(Tile.fullWidth))
        guard !isTooLarge, first < nodes else { return false }
        return nodes - first >= UInt64(width)
    }
}
