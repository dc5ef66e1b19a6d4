import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles {
    /// How the device's index can be used now.
    enum IndexAccess: Sendable {
        case attached
        /// There is none, and none can be begun, because the disk is full or nothing may be written.
        case absent
        /// There is one, and it cannot be read; nothing is sealed or claimed before it can.
        case unreadable(any Error)
    }

    /// Makes the folder known to the device's index, which is begun if there is none.
    ///
    /// A disk that is full keeps nobody from recording and uploading; it is tried again each time that the partitions are listed
    /// or one is sealed. Until then nothing is sealed.
    @discardableResult
    func attachIndex() -> IndexAccess {
        guard !index.isAttached else { return .attached }
        do {
            try withFolderLocked {
                let marker = try folder.marker(in: fileSystem)
                let id = try index.attach(marker: marker, survey: surveySeals)
                if id != marker { try folder.setMarker(id, in: fileSystem) }
            }
            return .attached
        } catch {
            let error = (error as? FileSystemError).map { PartitionError.fileSystem($0) } ?? error
            let isNew = state.withLock { state in
                defer { state.indexProblem = "\(error)" }
                return state.indexProblem != "\(error)"
            }
            if isNew { report(error) }
            guard case .success(nil) = Result(catching: { try fileSystem.status(folder.indexPath) }) else {
                return .unreadable(error)
            }
            return .absent
        }
    }

    /// Reads the seals that lie in the folder, whoever has the files open.
    private func surveySeals() throws -> [(seal: PartitionSeal, byteCount: UInt64)] {
        try fileSystem.list(folder.path).sorted()
            .compactMap { name in
                let path = "\(folder.path)/\(name)"
                guard let id = PartitionNames.id(in: name, ending: PartitionNames.events),
                    try fileSystem.status(path)?.kind == .file
                else { return nil }
                let file = try fileSystem.open(path, .read)
                defer { file.close() }
                let size = try file.size()
                let partition = PartitionID(prefix: folder.prefix, id: id)
                return try PartitionEnd.seal(of: partition, in: file, size: size).map { ($0, size) }
            }
    }

    /// Closes a partition for good: its events are made durable, the seal is signed and entered in the index, and then written.
    ///
    /// - Throws: When a call fails. The events are safe then, and recovery writes the seal that was entered, or signs one.
    func seal(_ writer: inout PartitionWriter) throws -> PartitionSeal {
        try writer.flush()
        attachIndex()
        let (prepared, key, owner) = (writer, key, folder.owner)
        defer { noteIndexFindings() }
        let seal = try index.enter(writer.partition.id) { place in try prepared.signed(by: key, of: owner, at: place) }
        try writer.close(with: seal)
        confirmSeal(of: writer.partition)
        return seal
    }

    /// Notes that a seal is in its file; without the note, recovery looks once more.
    func confirmSeal(of partition: PartitionID) {
        noteInIndex { try index.change(partition.id, to: .sealed, isSynced: false) }
    }

    /// Enters what is good to know, and what nothing depends on.
    func noteInIndex(_ body: () throws -> Void) {
        guard index.isAttached else { return }
        do {
            try body()
        } catch {
            // What the index does not say is looked for in the folder; at worst less is known of what somebody takes away.
        }
        noteIndexFindings()
    }

    /// Keeps what was found out about the index, for the ledger and for ``reportFindings()``.
    func noteIndexFindings() {
        let findings = index.takeFindings()
        guard !findings.isEmpty else { return }
        let noticed = clock.now().wall
        let losses = findings.map { _ in LossEntry(reason: .indexLost, count: 0, noticed: noticed) }
        state.withLock { state in
            state.unreported += findings
            state.unentered.note(losses)
        }
    }

    /// Reports what was found, in the order in which it was; never called by a leader, who would hold up whoever appends in the
    /// error handler.
    func reportFindings() {
        let findings = state.withLock { state in
            defer { state.unreported = [] }
            return state.unreported
        }
        for finding in findings { report(PartitionError.notAsSealed(finding)) }
    }
}
