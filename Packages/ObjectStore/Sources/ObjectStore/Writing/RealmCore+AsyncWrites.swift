import Dispatch

// The write lock is waited for off the instance's place; everything else happens in the place, one block at a time.
extension RealmCore {
    /// Asks for the write lock on behalf of work that runs in the place when it is there.
    func enqueue(_ work: AsyncWrite.Work) -> AsyncWrite {
        guard !configuration.readOnly else {
            misuse("A write was begun in the realm '\(file.path)', which was opened read-only.")
        }
        let write = AsyncWrite(id: asyncWrites.nextID(), work: work)
        asyncWrites.waiting.append(write)
        let instance = Confined(self)
        let (id, lock) = (write.id, file.writeLock)
        write.ticket = lock.request {
            // An actor that is gone needs no write any more.
            if !instance.schedule({ $0.runAsyncWrite(id) }) { lock.signal() }
        }
        return write
    }

    /// Runs a write that has the lock; does nothing when it was cancelled or lends its lock.
    func runAsyncWrite(_ id: AsyncTransactionId) {
        guard let write = asyncWrites.write(id), write.ticket?.isGranted == true, transaction == nil else { return }
        guard case .block(let run, let failed) = write.work else { return write.resume() }
        do throws(Realm.Error) {
            guard try beginGrantedWrite(write) else { return tryAgainLater(write) }
        } catch {
            return failed(error)
        }
        run()
        if transaction != nil { cancelWrite() }
    }

    /// Begins the transaction of a write that has the lock, without waiting for other processes.
    ///
    /// - Returns: False when another process has the file locked.
    /// - Throws: ``Realm/Error`` when it has for a minute, or when the file cannot be used; the lock is given back then.
    func beginGrantedWrite(_ write: AsyncWrite) throws(Realm.Error) -> Bool {
        do throws(Realm.Error) {
            guard try beginWriteIfFree(isLast: write.refusals == AsyncWrite.maximumRefusals) else {
                write.refusals += 1
                return false
            }
            asyncWrites.remove(write)
            return true
        } catch {
            asyncWrites.remove(write)
            file.writeLock.signal()
            throw error
        }
    }

    func tryAgainLater(_ write: AsyncWrite) {
        let instance = Confined(self)
        let id = write.id
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + .milliseconds(write.delay)) {
                _ = instance.schedule { $0.runAsyncWrite(id) }
            }
    }

    /// Drops a write that did not begin yet, or the completion of one that is over.
    func cancelAsyncWrite(_ id: AsyncTransactionId) {
        asyncWrites.completions[id] = nil
        guard let write = asyncWrites.write(id), case .block = write.work else { return }
        drop(write)
    }

    /// Takes a write off the list and gives up its lock, unless a synchronous transaction uses that.
    func drop(_ write: AsyncWrite) {
        asyncWrites.remove(write)
        guard asyncWrites.lender !== write, let ticket = write.ticket else { return }
        file.writeLock.cancel(ticket)
    }

    /// Tells later, in the place, how a write ended.
    func complete(_ id: AsyncTransactionId, _ completion: (() -> Void)?) {
        guard let completion else { return }
        asyncWrites.completions[id] = completion
        _ = Confined(self).schedule { $0.asyncWrites.completions.removeValue(forKey: id)?() }
    }

    // MARK: Synchronous transactions

    /// Takes the write lock for a synchronous transaction.
    ///
    /// The lock of an asynchronous write of this instance is used if there is one: it could never run while its place
    /// waits here.
    func takeWriteLock() {
        guard let write = asyncWrites.waiting.first, let ticket = write.ticket else { return file.writeLock.wait() }
        ticket.wait()
        asyncWrites.lender = write
    }

    /// Gives the write lock back, to the asynchronous write that lent it or to the next who asked.
    func giveWriteLockBack() {
        guard let lender = asyncWrites.lender else { return file.writeLock.signal() }
        asyncWrites.lender = nil
        let id = lender.id
        let isWaiting = asyncWrites.write(id) != nil
        if !isWaiting || !Confined(self).schedule({ $0.runAsyncWrite(id) }) { file.writeLock.signal() }
    }
}
