import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import EventModel
import EventProofs
import Foundation
import PostgreSQLStore

/// The file of `daybook serve --config`: JSON5, so that it may hold comments.
///
/// What the file leaves out has the default of the command. A key that is not known is an error, so that a misspelt one
/// is never a setting that silently does nothing. Secrets lie in files of their own, named by the configuration; relative
/// paths begin at the folder of the configuration.
struct ConfigurationFile {
    /// What the file says beside the configuration of the service.
    let configuration: ServerConfiguration
    /// The folder of the data, if the file names one.
    let data: String?
    /// The database for the events, if the file names one.
    let postgres: PostgreSQLConfiguration?
    /// What encrypts the keys in that database, if the file names a key for it.
    let keyCipher: KeyCipher?
    /// What is logged, if the file says so.
    let logLevel: LogLevel?

    /// Reads a file.
    ///
    /// - Throws: `CommandError` that names the file, the key and the remedy.
    init(path: String) async throws {
        // LIVE: the outermost layer; the tests give the contents.
        guard let bytes = FileManager.default.contents(atPath: path) else { throw CommandError.missingFile(path) }
        try await self.init(bytes, path: path)
    }

    /// Reads the contents of a file.
    init(_ bytes: Data, path: String) async throws {
        let contents = try Contents(bytes, path: path)
        let folder = URL(filePath: path).deletingLastPathComponent()
        func resolve(_ name: String) -> String { URL(filePath: name, relativeTo: folder).path }

        let standard = ServerConfiguration()
        var apps: [String: AppSettings] = [:]
        for (id, app) in contents.apps ?? [:] { apps[id] = try await app.settings(of: id, resolve, path) }
        configuration = ServerConfiguration(
            host: contents.host ?? standard.host,
            port: try contents.port.map { try Self.checked($0, 0...65_535, "port", path) } ?? standard.port,
            certificate: contents.tls.map {
                .init(chainFile: resolve($0.certificateChain), keyFile: resolve($0.privateKey))
            },
            isDevelopmentMode: contents.developmentMode,
            apps: apps,
            limits: try contents.limits?.limits(path) ?? standard.limits,
            quotas: try contents.quotas?.quotas(path) ?? standard.quotas,
            exports: try contents.exports?.limits(path) ?? standard.exports,
            clientAddressHeader: contents.clientAddressHeader,
            alerts: try contents.alerts?.settings(resolve, path) ?? standard.alerts,
            unmaskingPurposes: try contents.unmaskingPurposes.map { try Self.purposes($0, path) }
                ?? ServerConfiguration.standardPurposes,
            retentionShare: try contents.retentionPercentPerDay
                .map { Double(try Self.checked($0, 1...100, "retentionPercentPerDay", path)) / 100 }
                ?? standard.retentionShare,
            earlierKeys: try (contents.earlierKeys ?? []).map { try Self.publicKey($0, path) },
            logOrigin: try contents.logOrigin.map { try Self.logOrigin($0, path) },
            witnesses: try contents.witnesses?.settings(path) ?? standard.witnesses,
            timeStamps: try contents.timeStamps?.settings(resolve, path),
            logBucket: try contents.logBucket?.settings(resolve, path)
        )
        data = contents.data.map(resolve)
        postgres = try contents.postgres?.configuration(path)
        keyCipher = try contents.postgres?.keyFile.map { try Self.cipher(resolve($0)) }
        logLevel = try contents.logLevel.map { text in
            guard let level = LogLevel(rawValue: text) else {
                let known = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandError.malformedConfiguration(path, key: "logLevel", reason: "it is one of \(known)")
            }
            return level
        }
    }

    private static func publicKey(_ text: String, _ path: String) throws -> [UInt8] {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == 32, !EdwardsPoint.isOfSmallOrder(bytes) else {
            let reason = "each is a public key, 64 hexadecimal digits"
            throw CommandError.malformedConfiguration(path, key: "earlierKeys", reason: reason)
        }
        return bytes
    }

    private static func logOrigin(_ text: String, _ path: String) throws -> String {
        let isName =
            (try? NoteVerifierKey(name: ExactText(text), algorithm: .ed25519, publicKey: [UInt8](1...32))) != nil
        guard isName else {
            let reason = "it is a name such as log.example.com/daybook, without spaces and plus signs"
            throw CommandError.malformedConfiguration(path, key: "logOrigin", reason: reason)
        }
        return text
    }

    private static func cipher(_ file: String) throws -> KeyCipher {
        guard let bytes = try PrivateFile.read(file) else { throw CommandError.missingFile(file) }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let digits = Hexadecimal.bytes(text), digits.count == KeyCipher.keyByteCount else {
            throw CommandError.malformedKey(file)
        }
        return try KeyCipher(key: digits)
    }

    static func checked(_ number: Int, _ range: ClosedRange<Int>, _ key: String, _ path: String) throws -> Int {
        guard range.contains(number) else {
            let reason = "it is a number from \(range.lowerBound) to \(range.upperBound)"
            throw CommandError.malformedConfiguration(path, key: key, reason: reason)
        }
        return number
    }
}
