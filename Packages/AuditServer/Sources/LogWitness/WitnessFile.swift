import AuditModel
public import EventModel
public import EventProofs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The one file of a witness: its key, and what it knows of each log.
///
/// Only its owner may read it. It is replaced as a whole, so that after a crash there is what was before or what came after. One process has
/// it at a time; the death of the process lets it go.
///
/// - Important: A copy that is put back makes the witness forget what it cosigned since, and it could then cosign a second history.
public final class WitnessFile: Sendable {
    /// What the file says.
    public struct Contents: Sendable {
        /// The key that cosigns.
        public let signer: EdwardsNoteSigner
        /// What is known of each log.
        public var witness: Witness
    }

    /// How large the file may be: more than 100 logs with three checkpoints of 16 KiB each.
    private static let maximumBytes = 16_777_216

    /// Where it is.
    public let path: String
    private let lock: Int32

    /// Makes a witness with a new key.
    ///
    /// - Parameters:
    ///   - path: Where nothing is yet; the folder exists.
    ///   - name: The witness's name: by recommendation a URL without its scheme.
    /// - Returns: The public key, which logs and clients are told.
    /// - Throws: ``WitnessError/unusable(reason:)`` when the name is none, and `AuditServerError.inaccessible(path:reason:)` when there is
    ///   a file or it cannot be written.
    public static func create(at path: String, name: ExactText) throws -> NoteVerifierKey {
        let signer: EdwardsNoteSigner
        do throws(ProofError) {
            signer = try EdwardsNoteSigner(name: name, algorithm: .cosignature)
        } catch {
            throw WitnessError.unusable(reason: error.description)
        }
        try PrivateFile.write(try WitnessRecord(signer, Witness()).bytes, to: path, replacing: false)
        return signer.verifierKey
    }

    /// Reads a witness, also while another process has it.
    ///
    /// - Parameter path: Where it is.
    /// - Returns: What the file says.
    /// - Throws: ``WitnessError/missing(path:)``, ``WitnessError/unreadable(path:reason:)``, and
    ///   `AuditServerError.inaccessible(path:reason:)` when it cannot be read.
    public static func contents(at path: String) throws -> Contents {
        // LIVE: the witness's own file lies on the machine's disk.
        guard let status = try POSIXFileSystem().status(path) else { throw WitnessError.missing(path: path) }
        guard status.kind == .file else { throw WitnessError.unreadable(path: path, reason: "it is not a file") }
        guard status.permissions & 0o077 == 0 else {
            throw WitnessError.unreadable(
                path: path,
                reason: "others may read its key; take that away with 'chmod 600'"
            )
        }
        guard let bytes = try PrivateFile.read(path, upTo: maximumBytes) else { throw WitnessError.missing(path: path) }
        do {
            return try JSONDecoder().decode(WitnessRecord.self, from: Data(bytes)).contents()
        } catch {
            // What exactly is wrong may show a part of the key.
            throw WitnessError.unreadable(path: path, reason: "it is damaged, or not the file of a witness")
        }
    }

    /// Takes a witness for this process, until the value goes.
    ///
    /// - Parameter path: Where it is.
    /// - Throws: ``WitnessError/inUse(path:)`` when another process has it, ``WitnessError/missing(path:)``, and
    ///   `AuditServerError.inaccessible(path:reason:)` when the lock cannot be used.
    public init(at path: String) throws {
        guard PrivateFile.exists(path) else { throw WitnessError.missing(path: path) }
        guard let lock = try PrivateFile.lock("\(path).lock") else { throw WitnessError.inUse(path: path) }
        self.path = path
        self.lock = lock
    }

    /// Reads it.
    ///
    /// - Throws: As ``contents(at:)``.
    public func contents() throws -> Contents { try Self.contents(at: path) }

    /// Replaces what it says, and returns when that is on the disk.
    ///
    /// - Parameter contents: What it says from now on.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be written; what it said before is still there then, unless
    ///   it was the last step that failed.
    public func write(_ contents: Contents) throws {
        try PrivateFile.write(try WitnessRecord(contents.signer, contents.witness).bytes, to: path)
    }

    deinit { close(lock) }
}
