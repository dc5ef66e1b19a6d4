import ChangeModel
package import EventModel
import EventProofs

import struct Crypto.SHA256

/// What is taken of one file, and what is refused, whatever the store.
///
/// A store loads the record of the file, asks, and writes what comes of it. Nothing is changed here.
package struct FileLedger {
    /// What an upload brings that the store does not have.
    package struct Admission: Equatable {
        /// The indices of the changes in their batch that are new; those before them are stored already.
        package let new: Range<Int>
        /// The hash of the chain behind the last of them.
        package let chain: Digest
    }

    private let file: FileRecord

    /// Creates the ledger of a file.
    package init(_ file: FileRecord) { self.file = file }

    /// The hash function of chains, salts and changes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> Digest {
        var hash = SHA256()
        if bytes.withContiguousStorageIfAvailable({ hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil {
            hash.update(data: Array(bytes))
        }
        return hash.finalize()
            .withUnsafeBytes { bytes in
                guard let address = bytes.baseAddress else { preconditionFailure("A hash of 32 bytes has an address.") }
                return Digest(loadedFrom: address)
            }
    }
}

// MARK: - Binding

extension FileLedger {
    /// Checks whether a file that was bound before is the one that it says.
    ///
    /// - Throws: ``SyncServerError/unknownFile`` for another salt, `foreignFile` for another user or device key,
    ///   `historyChanged` for another history, or where the realm has less than the file was told, as after a restore, and
    ///   `fileInUse` for a copy that is behind its original.
    package func check(_ claim: FileClaim.Known, of binding: FileClaim, in realm: RealmStatus) throws(SyncServerError) {
        guard Self.hash(claim.salt) == file.saltHash else { throw .unknownFile }
        guard binding.user == file.user, binding.deviceKey == file.deviceKey else { throw .foreignFile }
        guard claim.history == realm.history, claim.position <= realm.head,
            claim.acknowledged <= file.progress.acknowledged
        else { throw .historyChanged }
        guard claim.lastChange >= file.progress.acknowledged else { throw .fileInUse }
    }
}

// MARK: - Uploads

extension FileLedger {
    /// Returns what is new in an upload.
    ///
    /// - Parameters:
    ///   - upload: The upload, of this file.
    ///   - head: The number of the newest entry.
    ///   - stored: Returns the digest of a change that was taken before; nil where it is not kept any more.
    /// - Returns: Which changes are new, and the chain behind them.
    /// - Throws: ``SyncServerError`` with `foreignFile` for another user, `empty` for no changes, `gap`,
    ///   `impossibleBase`, `conflict` for other bytes under a number that was taken, and `forged` when the chain or the
    ///   signature is not the file's; and what `stored` throws.
    /// - Complexity: O(*n*) in the bytes of the upload.
    package func admit(
        _ upload: ChangeUpload,
        head: Int,
        stored: (Int) throws -> Digest?
    ) throws -> Admission {
        let changes = upload.changes
        guard upload.user == file.user else { throw SyncServerError.foreignFile }
        guard let first = changes.first else { throw SyncServerError.empty }
        let acknowledged = file.progress.acknowledged
        guard first.number <= acknowledged + 1 else { throw SyncServerError.gap(expected: acknowledged + 1) }
        guard first.number > 0 else { throw SyncServerError.conflict(change: first.number) }
        let known = min(acknowledged - first.number + 1, changes.count)
        for index in 0..<known {
            // What is not kept any more cannot be compared; it is durable all the same.
            guard let digest = try stored(changes[index].number) else { continue }
            guard digest == upload.digests[index] else {
                throw SyncServerError.conflict(change: changes[index].number)
            }
        }
        guard known < changes.count else { return Admission(new: known..<known, chain: file.chain) }
        try checkBases(changes[known...], head: head)
        var chain = ChangeChain(head: file.chain, hash: { Self.hash($0) })
        for index in known..<changes.count { chain = chain.appending(upload.bytes(of: index)) }
        guard chain.head == upload.batch.chain,
            DeviceSignature.isValid(upload.batch.signature, for: chain.head.bytes, by: file.deviceKey)
        else { throw SyncServerError.forged }
        return Admission(new: known..<changes.count, chain: chain.head)
    }

    /// A file can only have been where it was already, and where the realm is now.
    private func checkBases(_ changes: ArraySlice<Change>, head: Int) throws(SyncServerError) {
        var last = file.progress.base
        for change in changes {
            guard (last...head).contains(change.base) else { throw .impossibleBase(change: change.number) }
            last = change.base
        }
    }
}
