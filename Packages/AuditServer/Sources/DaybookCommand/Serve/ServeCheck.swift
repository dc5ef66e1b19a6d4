import AuditArchives
import AuditHTTP
import AuditModel
import EventModel
import Foundation
import PostgreSQLStore

/// `daybook serve --check`: what a server would start with, looked at without a change.
///
/// A server that runs on the folder is not disturbed. Everything is looked at, also behind a problem, so that an operator mends all of it
/// at once.
struct ServeCheck {
    /// What was found about one thing.
    struct Finding: Encodable, CustomStringConvertible {
        enum State: String, Encodable {
            case ok, warning, problem
        }

        let subject: String
        let state: State
        let text: String

        /// A line of a table.
        var description: String {
            let word = state.rawValue
            return word + String(repeating: " ", count: 9 - word.count) + "\(subject): \(text)"
        }
    }

    /// How long before its end a certificate is told of: three weeks, in microseconds.
    private static let certificateNotice: Int64 = 21 * 86_400 * 1_000_000

    let configuration: ServerConfiguration
    let folder: String
    let database: PostgreSQLConfiguration?
    let now: EventInstant

    init(
        _ configuration: ServerConfiguration,
        folder: String,
        _ database: PostgreSQLConfiguration?,
        at now: EventInstant
    ) {
        self.configuration = configuration
        self.folder = folder
        self.database = database
        self.now = now
    }

    /// Looks at everything.
    func findings() async -> [Finding] {
        var findings = [
            Finding(subject: "configuration", state: .ok, text: served),
            certificate(), dataFolder(),
        ]
        findings += keys()
        if let database { findings.append(await connection(to: database)) }
        return findings
    }

    private var served: String {
        let count = configuration.apps.count
        let named = count == 1 ? "1 app is named" : "\(count) apps are named"
        return configuration.isDevelopmentMode ? "\(named), and Development Mode accepts every other one" : named
    }

    // MARK: - Certificate

    private func certificate() -> Finding {
        guard let certificate = configuration.certificate else {
            let isLocal = ["127.0.0.1", "::1", "localhost"].contains(configuration.host)
            let text = "none; tokens and events go over the network as they are"
            return Finding(
                subject: "certificate",
                state: isLocal ? .ok : .warning,
                text: isLocal ? "none, and \(configuration.host) is reached from this machine alone" : text
            )
        }
        do {
            let validity = try certificate.validity()
            guard validity.contains(now) else {
                let text = "\(certificate.chainFile) is valid from \(validity.lowerBound) to \(validity.upperBound)"
                return Finding(subject: "certificate", state: .problem, text: "\(text), and not now")
            }
            let ends = validity.upperBound.microseconds - now.microseconds < Self.certificateNotice
            let text = "\(certificate.chainFile) is valid until \(validity.upperBound)"
            return Finding(subject: "certificate", state: ends ? .warning : .ok, text: text)
        } catch {
            return Finding(subject: "certificate", state: .problem, text: error.description)
        }
    }

    // MARK: - Folder

    private func dataFolder() -> Finding {
        let subject = "folder"
        do {
            guard PrivateFile.exists(folder) else {
                let parent = Self.existingParent(of: folder)
                guard PrivateFile.mayWrite(into: parent) else {
                    throw AuditServerError.inaccessible(path: folder, reason: "this user may not make it in \(parent)")
                }
                return Finding(subject: subject, state: .ok, text: "\(folder) is made when the server starts")
            }
            guard PrivateFile.isFolder(folder) else {
                throw AuditServerError.inaccessible(path: folder, reason: "it is no folder")
            }
            try PrivateFile.refuseSharedFolder(folder)
            guard PrivateFile.mayWrite(into: folder) else {
                throw AuditServerError.inaccessible(path: folder, reason: "this user may not write into it")
            }
            return Finding(subject: subject, state: .ok, text: folder)
        } catch {
            return Finding(subject: subject, state: .problem, text: "\(error)")
        }
    }

    /// The innermost folder around a path that is there.
    private static func existingParent(of path: String) -> String {
        var url = URL(fileURLWithPath: path).deletingLastPathComponent()
        while url.path != "/", !PrivateFile.exists(url.path) { url = url.deletingLastPathComponent() }
        return url.path
    }

    /// Looks whether keys that a server made are there, and can be read.
    private func keys() -> [Finding] {
        guard database == nil, let data = DataFolder(lookingInto: folder), PrivateFile.exists(data.databasePath) else {
            return []
        }
        return [("key of receipts", data.signingKeyPath), ("key of tokens", data.tokenKeyPath)]
            .map { subject, path in
                do {
                    guard try PrivateFile.read(path) != nil else {
                        let text = "\(path) is missing; a server whose database has events does not start without it"
                        return Finding(subject: subject, state: .warning, text: text)
                    }
                    try PrivateFile.refuseShared(path)
                    return Finding(subject: subject, state: .ok, text: path)
                } catch {
                    return Finding(subject: subject, state: .problem, text: "\(error)")
                }
            }
    }

    // MARK: - Database

    private func connection(to database: PostgreSQLConfiguration) async -> Finding {
        let subject = "database"
        do {
            let found = try await PostgreSQLOutlook.of(database)
            let version = "PostgreSQL \(found.version)"
            let tables =
                found.missingMigrations == 0 ? "" : ", of whose tables \(found.missingMigrations) are made first"
            guard found.waitsForStandbys else {
                let text = "\(version)\(tables); synchronous_standby_names is empty, so events are on one machine"
                return Finding(subject: subject, state: .warning, text: text)
            }
            return Finding(subject: subject, state: .ok, text: "\(version)\(tables); commits wait for standbys")
        } catch {
            return Finding(subject: subject, state: .problem, text: "\(error)")
        }
    }
}
