import Foundation
public import LogPublishing
import Synchronization
public import TimeStamping

/// An authority of time that `openssl ts` runs in a folder of its own: a root, and a certificate for time-stamps that it signed.
///
/// Tests ask it without a network, and take it away, or have it say something else.
public final class SampleAuthority: OutsideTransport {
    private struct State {
        var isAway = false
        var answers: [OutsideResponse] = []
        var requests = 0
    }

    /// That it does not answer.
    struct Away: Error, CustomStringConvertible {
        let description = "nobody is there"
    }

    /// Why `openssl` did not do what it was told.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How a certificate for time-stamps may be wrong.
    public enum Purpose: String, Sendable {
        /// As it should be.
        case timeStamps = "critical,timeStamping"
        /// Not marked as critical.
        case uncritical = "timeStamping"
        /// For something else as well.
        case mixed = "critical,timeStamping,serverAuth"
        /// For something else.
        case servers = "critical,serverAuth"
    }

    /// A key that is made at once, as `openssl req -newkey` takes it: on the curve P-256.
    public static let quickKey = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    private let folder: String
    private let state = Mutex(State())

    /// Makes the authority.
    ///
    /// - Parameters:
    ///   - folder: An empty folder of its own.
    ///   - name: Its name.
    ///   - key: What its keys are made with, as `openssl req -newkey` takes it.
    ///   - purpose: What its certificate says that it is for.
    ///   - hash: What it signs with.
    /// - Throws: What the system throws when `openssl` cannot be run, and what it says when it fails.
    public init(
        in folder: String,
        name: String = "Authority of Time",
        key: [String] = SampleAuthority.quickKey,
        purpose: Purpose = .timeStamps,
        hash: String = "sha256"
    ) throws {
        self.folder = folder
        let files = """
            [req]
            distinguished_name = name
            prompt = no
            [name]
            CN = \(name)
            [root]
            basicConstraints = critical,CA:true
            keyUsage = critical,keyCertSign
            subjectKeyIdentifier = hash
            [stamps]
            basicConstraints = critical,CA:false
            keyUsage = critical,digitalSignature
            extendedKeyUsage = \(purpose.rawValue)
            subjectKeyIdentifier = hash
            [tsa]
            default_tsa = authority
            [authority]
            dir = \(folder)
            serial = \(folder)/serial
            crypto_device = builtin
            signer_cert = \(folder)/stamps.pem
            certs = \(folder)/root.pem
            signer_key = \(folder)/stamps.key
            signer_digest = \(hash)
            default_policy = 1.3.6.1.4.1.13762.3
            digests = sha256, sha384, sha512
            accuracy = secs:1, millisecs:500
            ess_cert_id_alg = sha256
            """
        try Data(files.utf8).write(to: URL(filePath: "\(folder)/authority.cnf"))
        let days = ["-days", "30", "-nodes", "-config", "\(folder)/authority.cnf"]
        try run(
            ["req", "-x509", "-newkey"] + key + ["-keyout", "\(folder)/root.key", "-out", "\(folder)/root.pem"] + days
                + ["-extensions", "root"]
        )
        try run(
            ["req", "-newkey"] + key + ["-keyout", "\(folder)/stamps.key", "-out", "\(folder)/stamps.csr", "-nodes"]
                + ["-config", "\(folder)/authority.cnf", "-subj", "/CN=\(name) 1"]
        )
        try run(
            [
                "x509", "-req", "-in", "\(folder)/stamps.csr", "-CA", "\(folder)/root.pem", "-CAkey",
                "\(folder)/root.key",
            ]
                + ["-set_serial", "7", "-days", "30", "-extfile", "\(folder)/authority.cnf", "-extensions", "stamps"]
                + ["-out", "\(folder)/stamps.pem"]
        )
    }

    // MARK: What others know of it

    /// The file of the certificate that it is believed by.
    public var rootFile: String { "\(folder)/root.pem" }

    /// Whoever believes it.
    public var trust: TimeStampTrust {
        get throws { try TimeStampTrust(pem: String(contentsOf: URL(filePath: rootFile), encoding: .utf8)) }
    }

    /// The certificate that it signs time-stamps with, in PEM.
    public var signerCertificate: String {
        get throws { try String(contentsOf: URL(filePath: "\(folder)/stamps.pem"), encoding: .utf8) }
    }

    // MARK: Answering

    /// How often it was asked.
    public var requests: Int { state.withLock { $0.requests } }

    /// Takes it away, or brings it back.
    public var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// Has it give these answers first, without thinking.
    public func say(_ answers: [OutsideResponse]) { state.withLock { $0.answers += answers } }

    /// Answers a request, or does not.
    public func post(
        _ body: [UInt8],
        as contentType: String,
        to url: String,
        limit: Int
    ) async throws -> OutsideResponse {
        let prepared = try state.withLock { state in
            state.requests += 1
            if state.isAway { throw Away() }
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        if let prepared { return prepared }
        guard contentType == TimeStampRequest.contentType else { return OutsideResponse(status: 415) }
        return OutsideResponse(status: 200, contentType: "application/timestamp-reply", body: try reply(to: body))
    }

    /// What it answers, in DER; its time is that of the system.
    public func reply(to request: [UInt8]) throws -> [UInt8] {
        // One request at a time, as the number of each time-stamp is in a file.
        try state.withLock { _ in
            try Data(request).write(to: URL(filePath: "\(folder)/request.tsq"))
            try run(
                ["ts", "-reply", "-config", "\(folder)/authority.cnf", "-section", "authority"]
                    + ["-queryfile", "\(folder)/request.tsq", "-out", "\(folder)/reply.tsr"]
            )
            return Array(try Data(contentsOf: URL(filePath: "\(folder)/reply.tsr")))
        }
    }

    /// Has `openssl ts` verify a time-stamp, as somebody would who has none of our programs.
    ///
    /// - Returns: Whether it says that it is one of these bytes.
    public func verifies(_ reply: [UInt8], over bytes: [UInt8]) throws -> Bool {
        try state.withLock { _ in
            try Data(reply).write(to: URL(filePath: "\(folder)/given.tsr"))
            try Data(bytes).write(to: URL(filePath: "\(folder)/given.data"))
            return try run(
                ["ts", "-verify", "-in", "\(folder)/given.tsr", "-data", "\(folder)/given.data", "-CAfile", rootFile],
                mayFail: true
            )
        }
    }

    /// Whether this machine has `openssl`.
    public static let isInstalled =
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        // LIVE: what is installed is for the machine to say.
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/openssl") }

    /// Runs `openssl`.
    @discardableResult
    private func run(_ arguments: [String], mayFail: Bool = false) throws -> Bool {
        let outcome = try SpawnedProgram.run(["openssl"] + arguments, errorsIn: "\(folder)/errors")
        guard outcome.status != 0 else { return true }
        guard mayFail else { throw Failure(description: "openssl: \(outcome.errors)") }
        return false
    }
}
