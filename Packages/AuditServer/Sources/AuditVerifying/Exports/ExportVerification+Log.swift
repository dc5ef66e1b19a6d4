import AuditModel
import EventModel
import EventProofs

extension ExportVerification {
    /// Checks the published checkpoint, and returns the tree that it is of; nil when there is none that can be read.
    mutating func checkCheckpoint(of manifest: ExportManifest) throws -> ExportedTree? {
        let name = ExportManifest.checkpointName
        guard manifest.files.contains(where: { $0.name == name }) else {
            noteMissingCheckpoint(of: manifest)
            return nil
        }
        // A file that is missing is told of with the others.
        guard let bytes = try contents(name) else { return nil }
        let signed: SignedCheckpoint
        do throws(ProofError) {
            signed = try SignedCheckpoint(bytes)
        } catch {
            note("\(name): \(error)")
            return nil
        }
        carried = signed
        let tree = ExportedTree(size: signed.checkpoint.size, root: signed.checkpoint.root)
        let own: NoteVerifierKey?
        do throws(ProofError) {
            own = try logKey(of: manifest)
        } catch {
            note("\(ExportManifest.fileName): \(error)")
            return tree
        }
        do throws(ProofError) {
            // Of several keys that the caller knows it is the one that the log had then.
            let isKnown = own.map { policy?.logKeys.contains($0) ?? true } ?? false
            guard let key = isKnown ? own : policy?.logKeys.first else {
                note("\(ExportManifest.fileName): it names a checkpoint, and not the key of its log.")
                return tree
            }
            if let own, own != key {
                note("\(ExportManifest.fileName): the key of the log is \(own), and the one that was given is \(key).")
            }
            let believed = if let policy { policy } else { try WitnessPolicy(logKeys: [key]) }
            checkpoint = ExportedCheckpoint(try believed.verify(signed), by: believed, key)
        } catch {
            note("\(name): \(error)")
        }
        return tree
    }

    /// The keys of the log: those that the caller knows, or else the one that the export names; none when that is none.
    func believedKeys(of manifest: ExportManifest) -> [NoteVerifierKey] {
        if let policy { return policy.logKeys }
        do throws(ProofError) {
            return try logKey(of: manifest).map { [$0] } ?? []
        } catch {
            // Told with the checkpoint.
            return []
        }
    }

    private func logKey(of manifest: ExportManifest) throws(ProofError) -> NoteVerifierKey? {
        guard let text = manifest.logKey else { return nil }
        return try NoteVerifierKey(parsing: text)
    }

    private mutating func noteMissingCheckpoint(of manifest: ExportManifest) {
        if policy != nil {
            return note(
                "\(ExportManifest.fileName): it names no checkpoint, so the keys of a log and of its witnesses say nothing "
                    + "about the export."
            )
        }
        guard manifest.isSigned else { return }
        remarks.append(
            manifest.logKey == nil
                ? "The server publishes no log: that it had these partitions then is its own word alone."
                : "The server had not published its log yet: that it had these partitions then is its own word alone."
        )
    }

    /// Checks the head of the log that an export of version 1 has in the place of a published checkpoint.
    mutating func checkHead(of manifest: ExportManifest) -> ExportedTree? {
        if policy != nil {
            note(
                "\(ExportManifest.fileName): an export of version 1 has no checkpoint that the keys of a log and of its witnesses "
                    + "could be held against; leave them out, or have it made again."
            )
        }
        guard let head = manifest.treeHead else {
            if manifest.isSigned { note("\(ExportManifest.fileName): the head of the server's log is missing.") }
            return nil
        }
        do throws(ProofError) {
            try head.verifySignature()
        } catch {
            note("\(ExportManifest.fileName): \(error)")
        }
        if let publicKey, head.publicKey != publicKey {
            note("\(ExportManifest.fileName): the head of the log is signed with another key than the manifest.")
        }
        return ExportedTree(size: head.size, root: head.root)
    }
}
