import ChangeModel
import SyncTransport
import Synchronization

#if canImport(ObjectiveC)
import Foundation
#endif

extension SyncSession {
    /// What changes in a session.
    struct Life {
        var machine: SyncSessionMachine
        /// What is to be done and is not yet, in order.
        var effects: [Step] = []
        /// Whether a thread does that.
        var isBusy = false
        /// The exchange that was begun last.
        var run: Task<Void, Never>?
        var pause: Task<Void, Never>?
        /// What watches the file and the network.
        var watches: [Task<Void, Never>] = []
        var listeners: [Int: AsyncStream<ConnectionState>.Continuation] = [:]
        var lastListener = 0
        /// Whether everything was done that came before the session was closed.
        var isFinished = false

        var tasks: [Task<Void, Never>] { watches + [run, pause].compactMap(\.self) }
    }

    /// One thing to do.
    enum Step: Sendable {
        case effect(SyncSessionMachine.Effect)
        /// Tells those who look at the session what it does now.
        case show(ConnectionState)
        /// Tells those who wait whether that is in vain.
        case tell(SyncError?)
        /// The session was closed.
        case finish
    }

    /// Takes an input, and does what comes of it.
    ///
    /// Steps are done in the order of their inputs, by one thread at a time and without a lock, so that whoever is told may ask the
    /// session for something, which is then done behind.
    func take(_ input: SyncSessionMachine.Input) {
        let isMine = life.withLock { life in
            let before = life.machine
            life.effects += life.machine.take(input).map { Step.effect($0) }
            let after = life.machine
            if before.end != after.end { life.effects.append(.tell(after.end)) }
            if ConnectionState(before) != ConnectionState(after) { life.effects.append(.show(ConnectionState(after))) }
            if before.state != .closed, after.state == .closed { life.effects.append(.finish) }
            guard !life.isBusy, !life.effects.isEmpty else { return false }
            life.isBusy = true
            return true
        }
        guard isMine else { return }
        while let step = nextStep() { perform(step) }
    }

    private func nextStep() -> Step? {
        life.withLock { life in
            guard !life.effects.isEmpty else {
                life.isBusy = false
                return nil
            }
            return life.effects.removeFirst()
        }
    }

    private func perform(_ step: Step) {
        switch step {
        case .effect(.start(let number)): start(number)
        case .effect(.stop): life.withLock(\.run)?.cancel()
        case .effect(.pause(let number, let duration)): pause(number, duration)
        case .effect(.endPause): life.withLock(\.pause)?.cancel()
        case .effect(.report(let error)): report(error, self)
        case .show(let connection):
            #if canImport(ObjectiveC)
            willChangeValue(for: \.connectionState)
            shown.withLock { $0 = connection }
            didChangeValue(for: \.connectionState)
            #endif
            for listener in life.withLock({ Array($0.listeners.values) }) { listener.yield(connection) }
        case .tell(let error): board.didEnd(error)
        case .finish: finish()
        }
    }

    private func finish() {
        let (watches, listeners) = life.withLock { life in
            defer { (life.watches, life.listeners, life.isFinished) = ([], [:], true) }
            return (life.watches, Array(life.listeners.values))
        }
        for watch in watches { watch.cancel() }
        for listener in listeners { listener.finish() }
        progress.end()
    }

    /// Begins an exchange, which holds the file and not the session.
    private func start(_ number: Int) {
        let exchange = SyncExchange(store: store, parts: parts, board: board) { [weak self] news in
            switch news {
            case .connected(let needsSnapshot): self?.take(.connected(number, needsSnapshot: needsSnapshot))
            case .caughtUp: self?.take(.caughtUp(number))
            case .rejected(let writes): self.map { $0.report(SyncError(writes), $0) }
            }
        }
        let (board, fraction) = (board, parts.environment.randomFraction)
        let run = Task { [weak self] in
            let before = board.facts
            let ending: SyncEnding
            do {
                try await exchange.run()
                ending = .again
            } catch {
                ending = SyncEnding(error)
            }
            let madeProgress = board.facts.isBeyond(before)
            self?.take(.ended(number, ending, madeProgress: madeProgress, fraction: fraction()))
            // Behind it: whoever sees the failure and asks for another attempt is not to meet this one, and to wait for the pause.
            if let failure = ending.passing { board.didFail(failure) }
        }
        life.withLock { $0.run = run }
    }

    private func pause(_ number: Int, _ duration: Duration) {
        let sleep = parts.environment.sleep
        let pause = Task { [weak self] in
            do {
                try await sleep(duration)
            } catch {
                // It was ended, and whoever did that goes on.
                return
            }
            self?.take(.pauseOver(number))
        }
        life.withLock { $0.pause = pause }
    }
}

// MARK: - Watching

extension SyncSession {
    /// Looks at the file after each commit, for those who wait and for the upload.
    func watchFile() {
        let (store, board) = (store, board)
        let commits = store.commits()
        watch {
            for await _ in commits {
                do {
                    board.didCommit(try await store { try $0.syncState() })
                } catch {
                    // The upload, which this wakes, meets the same and says so.
                    board.didCommit(nil)
                }
            }
        }
    }

    func watchNetwork() {
        let returns = parts.environment.networkReturns
        watch { [weak self] in
            for await _ in returns() { self?.take(.hurry) }
        }
    }

    private func watch(_ work: @escaping @Sendable () async -> Void) {
        let watch = Task { await work() }
        life.withLock { $0.watches.append(watch) }
    }
}
