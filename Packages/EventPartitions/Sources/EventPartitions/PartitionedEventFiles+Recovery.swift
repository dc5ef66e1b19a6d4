import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles {
    /// Takes over the files of the folder that nobody holds: seals them, so that they can be uploaded and deleted.
    ///
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the folder cannot be listed. What goes wrong with one file is
    ///   noted, and the file is let go, so that it blocks nothing.
    func claimLeftovers() throws {
        for (partition, file) in try naming({ try unclaimedFiles() }) {
            do {
                try naming { try recover(partition, file) }
                state.withLock { _ = $0.unrecovered.removeValue(forKey: partition) }
            } catch {
                note(error, for: partition)
            }
        }
    }

    private func note(_ error: any Error, for partition: PartitionID) {
        let reason = "It could not be recovered yet. \(error)"
        state.withLock { $0.unrecovered[partition] = reason }
    }

    /// Opens and locks the files that no process holds.
    private func unclaimedFiles() throws -> [(PartitionID, any OpenFile)] {
        try withFolderLocked {
            let held = state.withLock { Set($0.held.keys) }
            var files: [(PartitionID, any OpenFile)] = []
            for name in try fileSystem.list(folder.path).sorted() {
                guard let id = PartitionNames.id(in: name, ending: PartitionNames.events) else { continue }
                let partition = PartitionID(prefix: folder.prefix, id: id)
                guard !held.contains(partition) else { continue }
                do {
                    let file = try fileSystem.open(path(id, PartitionNames.events), .write)
                    if try file.lock(waiting: false) { files.append((partition, file)) }
                } catch {
                    note(error, for: partition)
                }
            }
            return files
        }
    }

    /// Makes a claimed file one of the held ones, keeps it aside if it is damaged, or removes it if it is empty.
    private func recover(_ partition: PartitionID, _ file: any OpenFile) throws {
        let path = path(partition.id, PartitionNames.events)
        let size = try file.size()
        var held = HeldPartition(id: partition, path: path, file: file, count: 0, byteCount: size)
        if let seal = try PartitionEnd.seal(of: partition, in: file, size: size) {
            held.seal = seal
            held.count = seal.count
            held.losses = seal.losses
            try hold(&held)
            return
        }
        let contents = try PartitionContents(file, partition: partition.id, path: path, to: size)
        held.count = contents.frontier.count
        held.losses = contents.losses
        if let damage = contents.damages.first {
            try loadAcknowledgement(&held)
            return try salvage(held, reason: damage.description)
        }
        guard contents.frontier.count > 0 || !contents.losses.isEmpty else {
            return try withFolderLocked {
                try fileSystem.remove(path)
                try fileSystem.syncDirectory(folder.path)
            }
        }
        var writer = try PartitionWriter(
            continuing: contents,
            of: partition,
            path: path,
            file: file,
            fileSystem: fileSystem
        )
        held.seal = try writer.seal(with: key)
        held.byteCount = writer.durableBytes
        try hold(&held)
    }

    private func hold(_ held: inout HeldPartition) throws {
        try loadAcknowledgement(&held)
        let result = held
        state.withLock { state in
            state.held[result.id] = result
            if let root = result.seal?.root { state.previousRoot = root }
        }
    }

    private func loadAcknowledgement(_ held: inout HeldPartition) throws {
        held.acknowledgement = try Acknowledgement.load(
            path(held.id.id, PartitionNames.acknowledged),
            count: held.count,
            in: fileSystem
        )
    }
}
