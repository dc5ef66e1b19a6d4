import ChangeModel
import ChangeModelTesting
import EventModel
import SyncServer

/// One realm of a store in memory.
struct InMemoryRealm {
    let history: [UInt8]
    private(set) var state = InMemoryRealmState()
    private(set) var log: [StoredEntry] = []
    /// The number up to which entries are gone.
    private(set) var floor = 0
    private var files: [UInt32: FileRecord] = [:]
    private var users: [ExactText: UInt32] = [:]
    private var digests: [ChangeReference: Digest] = [:]
    private var numbers: [ChangeReference: Int] = [:]
    private var changed: [ObjectAddress: Int] = [:]
    private var uploadedSizes: [ChangeReference: Int] = [:]
    private var posted: [(className: ExactText, object: PostedObject)] = []

    init(history: [UInt8]) { self.history = history }

    var status: RealmStatus {
        RealmStatus(
            history: history,
            head: state.head,
            floor: floor,
            objects: living.count,
            contentBytes: living.reduce(0) { $0 + size(of: state.literals(of: $1)) },
            logBytes: log.reduce(uploadedSizes.values.reduce(0, +)) { $0 + $1.bytes.count },
            postedBytes: posted.reduce(0) { $0 + $1.object.document.string.utf8.count }
        )
    }

    private var living: [ObjectAddress] { state.objects.filter { state.existence(of: $0).isAlive } }

    private func size(of literals: [ChangeOperation]) -> Int {
        literals.reduce(0) { $0 + $1.description.utf8.count }
    }

    mutating func bind(_ binding: FileClaim, salt: [UInt8]) throws -> BoundFile {
        if let claim = binding.claim {
            guard let record = files[claim.file] else { throw SyncServerError.unknownFile }
            try FileLedger(record).check(claim, of: binding, in: status)
            let acknowledged = record.progress.acknowledged
            return BoundFile(file: claim.file, salt: nil, acknowledged: acknowledged, realm: status)
        }
        let number = UInt32(files.count + 1)
        let user = users[binding.user] ?? UInt32(users.count + 1)
        users[binding.user] = user
        files[number] = FileRecord(
            user: binding.user,
            userNumber: user,
            deviceKey: binding.deviceKey,
            saltHash: FileLedger.hash(salt)
        )
        return BoundFile(file: number, salt: salt, acknowledged: 0, realm: status)
    }

    mutating func take(_ upload: ChangeUpload, received: EventInstant) throws -> TakenChanges {
        guard let record = files[upload.file] else { throw SyncServerError.unknownFile }
        let admission = try FileLedger(record)
            .admit(upload, head: state.head) { digests[ChangeReference(file: upload.file, number: $0)] }
        let changes = upload.changes
        for index in admission.new {
            try take(changes[index], index, of: upload, record.userNumber, received)
        }
        files[upload.file]?.progress = state.progress(of: upload.file)
        files[upload.file]?.chain = admission.chain
        var lowered: [TakenChanges.LoweredClock] = []
        let entries = changes.compactMap { change in
            numbers[ChangeReference(file: upload.file, number: change.number)].map { log[$0 - floor - 1] }
        }
        for entry in try entries.map({ try Entry(bytes: $0.bytes) }) {
            guard let change = changes.first(where: { $0.number == entry.change.number }) else { continue }
            let clock = entry.clock
            if clock != change.clock { lowered.append(.init(change: change.number, clock: clock)) }
        }
        let acknowledged = state.progress(of: upload.file).acknowledged
        return TakenChanges(acknowledged: acknowledged, head: state.head, lowered: lowered, entries: entries)
    }

    private mutating func take(
        _ change: Change,
        _ index: Int,
        of upload: ChangeUpload,
        _ user: UInt32,
        _ received: EventInstant
    ) throws {
        let digest = upload.digests[index]
        let entry = try state.accept(change, of: upload.file, user: user, received: received, digest: digest) {
            upload.refusal(of: $1, $0, in: change)
        }
        guard let entry else { return }
        let reference = ChangeReference(file: upload.file, number: change.number)
        for literal in entry.literals { changed[literal.object] = entry.number }
        log.append(StoredEntry(number: entry.number, bytes: entry.encoded))
        digests[reference] = digest
        numbers[reference] = entry.number
        uploadedSizes[reference] = upload.bytes(of: index).count
        for (place, operation) in change.operations.enumerated() {
            guard let document = operation.posted, entry.results[place] == .asSent else { continue }
            let object = PostedObject(
                place: PostedPlace(entry: entry.number, operation: place),
                file: upload.file,
                user: upload.user,
                received: received,
                document: document
            )
            posted.append((operation.object.className, object))
        }
    }

    /// Removes the oldest entries up to the first that was received at an instant or later.
    mutating func shorten(before instant: EventInstant, limit: Int) throws -> ShortenedLog {
        let old = try log.prefix { try EntryHead(of: $0.bytes).received < instant }
        var bytes = 0
        for entry in old.prefix(limit) {
            let change = try EntryHead(of: entry.bytes).change
            bytes += entry.bytes.count + (uploadedSizes.removeValue(forKey: change) ?? 0)
            digests[change] = nil
            numbers[change] = nil
        }
        let count = min(old.count, limit)
        log.removeFirst(count)
        floor += count
        state.forgetClocks(before: floor)
        return ShortenedLog(floor: floor, entries: count, bytes: bytes, isDone: old.count <= limit)
    }

    func posted(_ className: ExactText, after place: PostedPlace?, maximumBytes: Int) -> [PostedObject] {
        var left = maximumBytes
        var objects: [PostedObject] = []
        for (name, object) in posted where name == className && place.map({ $0 < object.place }) ?? true {
            left -= object.document.string.utf8.count
            if left < 0, !objects.isEmpty { break }
            objects.append(object)
        }
        return objects
    }

    func page(after object: ObjectAddress?, maximumBytes: Int) -> ObjectPage {
        var left = maximumBytes
        var objects: [StoredObject] = []
        for address in living where object.map({ $0 < address }) ?? true {
            let literals = state.snapshot(of: address)
            left -= size(of: literals)
            if left < 0, let last = objects.last {
                return ObjectPage(objects: objects, next: last.address, head: state.head)
            }
            objects.append(StoredObject(address: address, changed: changed[address] ?? 0, literals: literals))
        }
        return ObjectPage(objects: objects, next: nil, head: state.head)
    }
}
