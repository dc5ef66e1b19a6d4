import ChangeModel
import EventModel
import GRDB
import SyncServer

/// One transaction that takes uploads of one realm.
final class SQLiteTaking {
    private let realm: RealmRow
    private let limits: RealmLimits
    private let received: EventInstant
    private let state: SQLiteRealmState
    private var logGrowth = 0
    private var postedGrowth = 0

    init(
        _ realm: RealmRow,
        _ limits: RealmLimits,
        received: EventInstant,
        rememberedRows: Int,
        in database: Database
    ) {
        self.realm = realm
        self.limits = limits
        self.received = received
        state = SQLiteRealmState(
            realm: realm.number,
            head: realm.status.head,
            rememberedRows: rememberedRows,
            in: database
        )
    }

    /// Takes an upload, or says why it is refused, which changes nothing.
    ///
    /// - Throws: What the database throws: nobody can say then what else the transaction holds.
    func take(_ upload: ChangeUpload) throws -> Result<TakenChanges, SyncServerError> {
        guard let record = try state.record(of: upload.file) else { return .failure(.unknownFile) }
        let admission: FileLedger.Admission
        do {
            admission = try FileLedger(record)
                .admit(upload, head: state.head) { change in
                    try stored(change, of: upload.file).map { FileLedger.hash($0.uploaded) }
                }
        } catch let refusal as SyncServerError {
            if case .unavailable = refusal { throw refusal }
            return .failure(refusal)
        }
        var entries: [StoredEntry] = []
        var lowered: [TakenChanges.LoweredClock] = []
        for (index, change) in upload.changes.enumerated() {
            let entry: StoredEntry?
            let clock: HybridClock?
            if admission.new.contains(index) {
                let taken = try take(change, index, of: upload, record.userNumber)
                (entry, clock) = (taken.stored, taken.clock)
            } else {
                entry = try repeated(change.number, of: upload.file)
                clock = try entry.map { try Entry(bytes: $0.bytes).clock }
            }
            if let entry { entries.append(entry) }
            if let clock, clock != change.clock { lowered.append(.init(change: change.number, clock: clock)) }
        }
        if !admission.new.isEmpty { try state.setChain(admission.chain, of: upload.file) }
        return .success(
            TakenChanges(
                acknowledged: state.progress(of: upload.file).acknowledged,
                head: state.head,
                lowered: lowered,
                entries: entries
            )
        )
    }

    /// Writes what is only remembered so far, and where the realm is now.
    func finish(in database: Database) throws {
        try state.flush()
        try state.writeFiles(seen: received)
        guard state.head != realm.status.head else { return }
        let status = realm.status
        let grown = RealmStatus(
            history: status.history,
            head: state.head,
            floor: status.floor,
            objects: status.objects + state.objectGrowth,
            contentBytes: status.contentBytes + state.contentGrowth,
            logBytes: status.logBytes + logGrowth,
            postedBytes: status.postedBytes + postedGrowth
        )
        let row = RealmRow(number: realm.number, status: grown)
        try row.write(in: database)
        if status.head == status.floor { try row.writeOldest(received, in: database) }
    }
}

// MARK: - Changes

extension SQLiteTaking {
    private func take(
        _ change: Change,
        _ index: Int,
        of upload: ChangeUpload,
        _ user: UInt32
    ) throws -> (stored: StoredEntry, clock: HybridClock) {
        // The rules change what they are called on, which here is the same object.
        var rules = state
        let entry = try rules.accept(
            change,
            of: upload.file,
            user: user,
            received: received,
            digest: upload.digests[index]
        ) { index, operation in
            let refusal =
                limits.refusal(
                    of: operation.action,
                    contentBytes: realm.status.contentBytes,
                    objects: realm.status.objects + state.objectGrowth,
                    postedBytes: realm.status.postedBytes + postedGrowth,
                    objectBytes: state.bytes(of: operation.object)
                ) ?? upload.refusal(of: operation, index, in: change)
            if refusal == nil { state.allow(operation.action.addedBytes, for: operation.object) }
            return refusal
        }
        if let failure = state.failure { throw failure }
        guard let entry else { throw OrderedReader.damage }
        for literal in entry.literals { try state.touch(literal.object, entry.number) }
        let bytes = entry.encoded
        guard bytes.count <= limits.entryBytes else {
            throw SyncServerError.entryTooLarge(change: change.number, limit: limits.entryBytes)
        }
        try state.statements.run(.addEntry) { statement in
            try statement.bind(realm.number, at: 1)
            try statement.bind(entry.number, at: 2)
            try statement.bind(Int64(bitPattern: state.noteClock(of: entry).bits), at: 3)
            try statement.bind(bytes, at: 4)
        }
        let uploaded = upload.bytes(of: index)
        try state.statements.run(.addUpload) { statement in
            try statement.bind(realm.number, at: 1)
            try statement.bind(Int64(upload.file), at: 2)
            try statement.bind(change.number, at: 3)
            try statement.bind(entry.number, at: 4)
            try uploaded.withUnsafeBytes { try statement.bind(blob: $0, at: 5) }
        }
        logGrowth += bytes.count + uploaded.count
        try keepPosted(of: change, entry)
        try state.forgetMuch()
        return (StoredEntry(number: entry.number, bytes: bytes), entry.clock)
    }

    /// Puts what a change posted into the collections of its classes.
    private func keepPosted(of change: Change, _ entry: Entry) throws {
        for (index, operation) in change.operations.enumerated() {
            guard let document = operation.posted, entry.results[index] == .asSent else { continue }
            try state.statements.run(.addPosted) { statement in
                try statement.bind(realm.number, at: 1)
                try statement.bind(operation.object.className.string, at: 2)
                try statement.bind(entry.number, at: 3)
                try statement.bind(index, at: 4)
                try statement.bind(Int64(entry.change.file), at: 5)
                try statement.bind(Int64(entry.user), at: 6)
                try statement.bind(entry.received.microseconds, at: 7)
                try statement.bind(document.string, at: 8)
            }
            postedGrowth += document.string.utf8.count
        }
    }

    /// Returns what was uploaded as a change before, and the number of its entry.
    private func stored(_ change: Int, of file: UInt32) throws -> (entry: Int, uploaded: [UInt8])? {
        try state.statements.first(.upload) { statement in
            try statement.bind(realm.number, at: 1)
            try statement.bind(Int64(file), at: 2)
            try statement.bind(change, at: 3)
        } _: { statement in
            (Int(try statement.number(0)), try statement.blob(1))
        }
    }

    /// Returns the entry of a change that was taken before, if the log still has it.
    private func repeated(_ change: Int, of file: UInt32) throws -> StoredEntry? {
        guard let number = try stored(change, of: file)?.entry else { return nil }
        let bytes = try state.statements.first(.entry) { statement in
            try statement.bind(realm.number, at: 1)
            try statement.bind(number, at: 2)
        } _: {
            try $0.blob(0)
        }
        return bytes.map { StoredEntry(number: number, bytes: $0) }
    }
}
