public import ChangeModel
public import EventModel
public import EventProofs
public import SyncServer

/// A realm file of a device in tests: it makes changes, signs them, and remembers where its chain is.
public struct SampleRealmFile: Sendable {
    /// The user of the device.
    public let user: ExactText
    /// What the server said when the file was bound.
    public let bound: BoundFile
    private let key: DeviceKey
    private var chain = ChangeChain(head: .zeros, hash: { FileLedger.hash($0) })
    /// The number of the last change that it made.
    public private(set) var lastChange = 0
    /// The wall clock of the device, in milliseconds; each change takes one.
    public var milliseconds: Int64

    /// Binds a new file.
    ///
    /// - Throws: What the store throws.
    public init(
        boundTo realm: RealmName = .sample(),
        in store: any ChangeStore,
        user: ExactText = "aa",
        milliseconds: Int64 = 1000,
        key: DeviceKey = DeviceKey()
    ) async throws {
        self.user = user
        self.milliseconds = milliseconds
        self.key = key
        bound = try await store.bind(FileClaim(user: user, deviceKey: key.publicKey), to: realm)
    }

    /// The public half of its key.
    public var deviceKey: [UInt8] { key.publicKey }

    /// What the file says when it is bound again.
    public var claim: FileClaim.Known {
        FileClaim.Known(
            file: bound.file,
            salt: bound.salt ?? [],
            history: bound.realm.history,
            lastChange: lastChange
        )
    }

    /// Makes changes, one for each list of operations, and signs them as one batch.
    ///
    /// - Parameters:
    ///   - commits: The operations of each change.
    ///   - base: The position of the file.
    ///   - judge: What the server refuses.
    /// - Returns: The upload.
    /// - Throws: What is wrong with the batch.
    public mutating func upload(
        _ commits: [[ChangeOperation]],
        base: Int = 0,
        judge: ChangeUpload.Judge? = nil
    ) throws -> ChangeUpload {
        let changes = commits.enumerated()
            .map { index, operations in
                Change(
                    number: lastChange + 1 + index,
                    base: base,
                    clock: HybridClock(milliseconds: milliseconds + Int64(index)),
                    operations: operations
                )
            }
        return try upload(changes, judge: judge)
    }

    /// Signs changes as one batch.
    public mutating func upload(_ changes: [Change], judge: ChangeUpload.Judge? = nil) throws -> ChangeUpload {
        let batch = try signed(ChangeBatch(file: bound.file, changes: changes))
        chain = chain.appending(batch)
        lastChange = changes.last?.number ?? lastChange
        milliseconds += Int64(changes.count)
        return try ChangeUpload(batch, user: user, judge: judge)
    }

    /// Signs a batch without remembering it, as a forger may or a device whose file is restored.
    public func signed(_ batch: ChangeBatch) throws -> SignedBatch {
        var failure: (any Error)?
        let signed = try SignedBatch(batch, after: chain) { head in
            do {
                return try key.signature(of: head)
            } catch {
                failure = error
                return []
            }
        }
        if let failure { throw failure }
        return signed
    }
}

extension RealmName {
    /// A realm of a ward.
    public static func sample(_ value: ExactText = "s_ward-1", app: ExactText = "ward-app") -> RealmName {
        RealmName(app: app, value: value)
    }
}
