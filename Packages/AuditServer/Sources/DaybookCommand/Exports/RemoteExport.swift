import AuditArchives
import AuditExport
import AuditFormats
import AuditHTTP
import AuditModel
import AuditVerifying
import EventModel
import Foundation

/// Has a server make an export, and fetches it.
struct RemoteExport {
    /// How much of a file is asked for at once, in bytes.
    private static let partBytes: UInt64 = 16_777_216
    /// How long the command waits before it asks again how far an export is, in milliseconds.
    private static let pause = 250

    private let server: RemoteServer
    // LIVE: the command writes into a folder of the machine.
    private let disk = POSIXFileSystem()

    /// Asks a server.
    init(_ server: RemoteServer) {
        self.server = server
    }

    private struct Order: Encodable {
        let formats: [ExportFormat]
        let reason: String?
    }

    private struct Status: Decodable {
        let id: String
        let state: String
        let progress: ExportProgress
        let problem: String?
        let files: [ExportManifest.File]
    }

    /// Makes an export, writes its files into a folder, and removes it from the server.
    ///
    /// One that is cancelled is removed from the server, too.
    ///
    /// - Throws: `CommandError`, also when the server could not make it, and `CancellationError`.
    func fetch(
        _ filter: EventFilter,
        as formats: Set<ExportFormat>,
        because reason: String?,
        into folder: String
    ) async throws {
        let order = Order(formats: ExportFormat.allCases.filter(formats.contains), reason: reason)
        // Not structured: one whose answer nobody waits for would stay on the server.
        let answer = try await Task { try await server.change("POST", "exports", order, query: filter.query) }.value
        let begun = try server.decode(Status.self, from: answer)
        let path = "exports/\(begun.id)"
        do {
            try Task.checkCancellation()
            try await fetch(begun, at: path, into: folder)
        } catch is CancellationError {
            // Not structured: the task that would ask is the one that was cancelled.
            _ = try await Task { try await server.change("DELETE", path) }.value
            throw CancellationError()
        }
        try await server.change("DELETE", path)
    }

    private func fetch(_ begun: Status, at path: String, into folder: String) async throws {
        var status = begun
        while status.state == "waiting" || status.state == "running" {
            StandardOutput.progress(
                "\(status.progress.examined) of \(status.progress.total) events, \(status.progress.events) fit"
            )
            try await Task.sleep(for: .milliseconds(Self.pause))
            status = try server.decode(Status.self, from: try await server.get(path).body)
        }
        guard status.state == "done" else {
            throw CommandError.unfinishedExport(reason: status.problem ?? "It is \(status.state).")
        }
        for file in status.files { try await fetch(file, of: path, into: folder) }
    }

    private func fetch(_ sent: ExportManifest.File, of path: String, into folder: String) async throws {
        // A name from a server is never a path of this machine.
        guard !sent.name.contains("/"), !sent.name.hasPrefix(".") else {
            throw CommandError.unfinishedExport(reason: "It has a file with a name that no export has.")
        }
        let target = "\(folder)/\(sent.name)"
        let file: any OpenFile
        do throws(FileSystemError) {
            file = try disk.open(target, .create)
        } catch {
            throw CommandError.unwritable(path: target, reason: error.reason)
        }
        defer { file.close() }
        var position: UInt64 = 0
        while position < sent.bytes {
            let end = min(position + Self.partBytes, sent.bytes)
            let part = try await server.part(position..<end, of: "\(path)/files/\(sent.name)")
            do throws(FileSystemError) {
                try file.writeAll(Array(part), at: position)
            } catch {
                throw CommandError.unwritable(path: target, reason: error.reason)
            }
            position = end
            StandardOutput.progress("\(sent.name): \(position) of \(sent.bytes) bytes")
        }
        do throws(FileSystemError) {
            try file.synchronize()
        } catch {
            throw CommandError.unwritable(path: target, reason: error.reason)
        }
    }
}
