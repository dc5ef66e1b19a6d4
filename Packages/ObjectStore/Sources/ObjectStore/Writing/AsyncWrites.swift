import Dispatch

/// The asynchronous writes of one instance, in the order in which they were asked for.
///
/// The write lock is waited for elsewhere; everything else happens on the instance's executor, one block at a time. What is scheduled
/// there holds the instance, and the instance holds this: none of it can be reached after its owner is gone.
final class AsyncWrites {
    private let file: FileCoordinator
    private var lastID: AsyncTransactionId = 0
    private var waiting: [AsyncWrite] = []
    /// The write whose lock a synchronous transaction uses meanwhile, because it could not get one while its executor waits.
    private var lender: AsyncWrite?
    /// The completions that were not called yet, by the write or commit that they belong to.
    private var completions: [AsyncTransactionId: () -> Void] = [:]

    init(_ file: FileCoordinator) { self.file = file }

    /// Whether nothing waits, and no completion is to be called.
    var isEmpty: Bool { waiting.isEmpty && completions.isEmpty }

    func nextID() -> AsyncTransactionId {
        lastID &+= 1
        return lastID
    }

    // MARK: Waiting

    /// Asks for the write lock on behalf of work that runs on the executor when it is there.
    func enqueue(_ work: AsyncWrite.Work, in realm: RealmCore) -> AsyncWrite {
        guard !realm.configuration.readOnly else {
            misuse("A write was begun in the realm '\(file.path)', which was opened read-only.")
        }
        let write = AsyncWrite(id: nextID(), work: work)
        waiting.append(write)
        let instance = Confined(realm)
        let (id, lock) = (write.id, file.writeLock)
        write.ticket = lock.request {
            // An actor that is gone needs no write any more.
            if !instance.schedule({ $0.asyncWrites.run(id, in: $0) }) { lock.signal() }
        }
        return write
    }

    /// Lets the task of a write look whether it has the lock, or is cancelled.
    func resume(_ id: AsyncTransactionId) { write(id)?.resume() }

    /// Drops a write that did not begin yet, or the completion of one that is over.
    func cancel(_ id: AsyncTransactionId) {
        completions[id] = nil
        guard let write = write(id), case .block = write.work else { return }
        drop(write)
    }

    /// Takes a write off the list and gives up its lock, unless a synchronous transaction uses that.
    func drop(_ write: AsyncWrite) {
        remove(write)
        guard lender !== write, let ticket = write.ticket else { return }
        file.writeLock.cancel(ticket)
    }

    private func write(_ id: AsyncTransactionId) -> AsyncWrite? { waiting.first { $0.id == id } }

    private func remove(_ write: AsyncWrite) { waiting.removeAll { $0 === write } }

    // MARK: Running

    /// Runs a write that has the lock; does nothing when it was cancelled or lends its lock.
    private func run(_ id: AsyncTransactionId, in realm: RealmCore) {
        guard let write = write(id), write.ticket?.isGranted == true, !realm.transaction.isOpen else { return }
        guard case .block(let run, let failed) = write.work else { return write.resume() }
        do throws(Realm.Error) {
            guard try begin(write, in: realm) else { return tryAgainLater(write, in: realm) }
        } catch {
            return failed(error)
        }
        run()
        if realm.transaction.isOpen { realm.cancelWrite() }
    }

    /// Begins the transaction of a write that has the lock, without waiting for other processes.
    ///
    /// - Returns: False when another process has the file locked.
    /// - Throws: ``Realm/Error`` when it has for a minute, or when the file cannot be used; the lock is given back then.
    func begin(_ write: AsyncWrite, in realm: RealmCore) throws(Realm.Error) -> Bool {
        do throws(Realm.Error) {
            guard try realm.beginWriteIfFree(isLast: write.refusals == AsyncWrite.maximumRefusals) else {
                write.refusals += 1
                return false
            }
            remove(write)
            return true
        } catch {
            remove(write)
            file.writeLock.signal()
            throw error
        }
    }

    func tryAgainLater(_ write: AsyncWrite, in realm: RealmCore) {
        let instance = Confined(realm)
        let id = write.id
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + .milliseconds(write.delay)) {
                _ = instance.schedule { $0.asyncWrites.run(id, in: $0) }
            }
    }

    /// Calls a completion later, on the executor.
    func complete(_ id: AsyncTransactionId, in realm: RealmCore, _ completion: (() -> Void)?) {
        guard let completion else { return }
        completions[id] = completion
        _ = Confined(realm).schedule { $0.asyncWrites.completions.removeValue(forKey: id)?() }
    }

    // MARK: Synchronous transactions

    /// Takes the write lock for a synchronous transaction.
    ///
    /// The lock of an asynchronous write of this instance is used if there is one: it could never run while its executor
    /// waits here.
    func takeWriteLock() {
        guard let write = waiting.first, let ticket = write.ticket else { return file.writeLock.wait() }
        ticket.wait()
        lender = write
    }

    /// Gives the write lock back, to the asynchronous write that lent it or to the next who asked.
    func giveWriteLockBack(in realm: RealmCore) {
        guard let write = lender else { return file.writeLock.signal() }
        lender = nil
        let id = write.id
        let isWaiting = self.write(id) != nil
        if !isWaiting || !Confined(realm).schedule({ $0.asyncWrites.run(id, in: $0) }) { file.writeLock.signal() }
    }
}
