import ChangeModel

/// What a session does when, without clocks, tasks and files, so that each input can be tried in each state.
///
/// ```
///  suspended ──resume──▶ binding ──▶ bootstrapping ──▶ exchanging
///      ▲                 │  ▲ ▲            │               │
///      └──suspend── any  │  │ └──pause over, network back──┤ failed for a while
///                        ▼  │                              ▼
///                   needsUser ◀──signed out, refused    pausing        failed, closed: for good
/// ```
/// One exchange at a time has the file: one that was told to stop is waited for before the next begins.
struct SyncSessionMachine: Sendable {
    /// What a session is doing.
    enum State: Sendable, Equatable {
        /// Nothing, as it was asked to.
        case suspended
        /// It waits until its user signs in.
        case needsUser
        /// It presents the file, or waits until the exchange before has ended.
        case binding
        /// It takes a snapshot.
        case bootstrapping
        /// It sends and integrates.
        case exchanging
        /// It waits before its next attempt; a fixed pause is as long as the server asked for.
        case pausing(isFixed: Bool)
        /// It met what does not mend itself.
        case failed(SyncError)
        /// Nothing, for good.
        case closed
    }

    /// What happens to a session.
    enum Input: Sendable {
        /// The app lets it go on.
        case resume
        /// The app stops it.
        case suspend
        /// The file is closed.
        case close
        /// The user signed in.
        case signIn
        /// The user signed out.
        case signOut
        /// The network is back, or the app asks for an attempt.
        case hurry
        /// The pause with a number is over.
        case pauseOver(Int)
        /// The exchange with a number has presented the file.
        case connected(Int, needsSnapshot: Bool)
        /// The exchange with a number has taken the snapshot.
        case caughtUp(Int)
        /// The exchange with a number has ended; a random number from 0 to 1 shortens the pause.
        case ended(Int, SyncEnding, madeProgress: Bool, fraction: Double)
    }

    /// What is to be done, in order.
    enum Effect: Sendable, Equatable {
        /// Begins an exchange under a number.
        case start(Int)
        /// Tells the exchange that it is to end.
        case stop
        /// Begins a pause under a number.
        case pause(Int, Duration)
        /// Ends the pause.
        case endPause
        /// Tells the app of an error.
        case report(SyncError)
    }

    /// The first pause: a second.
    static let minimum = Duration.seconds(1)
    /// The longest pause: five minutes.
    static let maximum = Duration.seconds(300)
    /// The longest pause that a server may ask for: an hour.
    static let longestRest = Duration.seconds(3600)
    /// How long it is until a session looks whether the other process that syncs the file has ended: two seconds.
    static let takeover = Duration.seconds(2)

    private(set) var state = State.suspended
    /// The number of the exchange or pause that counts; what carries another one comes too late.
    private var number = 0
    /// Whether an exchange that was begun has not ended.
    private var isLive = false
    private var isSignedIn: Bool
    /// Whether the user signed in, or somebody asked for an attempt, since the present one began.
    private var hasNewUser = false
    private var isHurried = false
    /// How many exchanges in a row ended before anything was exchanged.
    private var attempts = 0
    /// What was reported of the file, so that it is not at each attempt.
    private var reported: SyncError?

    /// Creates the machine of a session that is suspended.
    init(isSignedIn: Bool = true) { self.isSignedIn = isSignedIn }

    /// Takes an input, and returns what is to be done.
    mutating func take(_ input: Input) -> [Effect] {
        switch input {
        case .resume: resume()
        case .suspend: isOver ? [] : leave(for: .suspended)
        case .close: leave(for: .closed)
        case .signIn: signIn()
        case .signOut: signOut()
        case .hurry: hurry()
        case .pauseOver(let ended): ended == number && isPausing ? begin() : []
        case .connected(let exchange, let needsSnapshot): connect(exchange, needsSnapshot)
        case .caughtUp(let exchange): catchUp(exchange)
        case .ended(let exchange, let ending, let madeProgress, let fraction):
            end(exchange, ending, madeProgress, fraction)
        }
    }
}

// MARK: - What is asked for

extension SyncSessionMachine {
    private mutating func resume() -> [Effect] {
        guard state == .suspended else { return [] }
        guard isSignedIn else {
            state = .needsUser
            return []
        }
        attempts = 0
        return begin()
    }

    private mutating func signIn() -> [Effect] {
        isSignedIn = true
        hasNewUser = true
        guard state == .needsUser else { return [] }
        attempts = 0
        return begin()
    }

    private mutating func signOut() -> [Effect] {
        isSignedIn = false
        return isActive ? leave(for: .needsUser) : []
    }

    private mutating func hurry() -> [Effect] {
        isHurried = true
        guard case .pausing(isFixed: false) = state else { return [] }
        return [.endPause] + begin()
    }

    /// Begins an attempt, at once or when the exchange before has ended.
    private mutating func begin() -> [Effect] {
        state = .binding
        number += 1
        (hasNewUser, isHurried) = (false, false)
        guard !isLive else { return [] }
        isLive = true
        return [.start(number)]
    }

    /// Stops what is under way.
    private mutating func leave(for next: State) -> [Effect] {
        guard state != next, state != .closed else { return [] }
        defer { state = next }
        number += 1
        switch state {
        case .binding, .bootstrapping, .exchanging: return isLive ? [.stop] : []
        case .pausing: return [.endPause]
        case .suspended, .needsUser, .failed, .closed: return []
        }
    }
}

// MARK: - What exchanges say

extension SyncSessionMachine {
    private mutating func connect(_ exchange: Int, _ needsSnapshot: Bool) -> [Effect] {
        guard exchange == number, state == .binding else { return [] }
        state = needsSnapshot ? .bootstrapping : .exchanging
        return []
    }

    private mutating func catchUp(_ exchange: Int) -> [Effect] {
        guard exchange == number, state == .bootstrapping else { return [] }
        state = .exchanging
        return []
    }

    private mutating func end(
        _ exchange: Int,
        _ ending: SyncEnding,
        _ madeProgress: Bool,
        _ fraction: Double
    ) -> [Effect] {
        isLive = false
        guard exchange == number else {
            // It was told to end, and the next one waits for that.
            guard state == .binding else { return [] }
            isLive = true
            return [.start(number)]
        }
        let wasConnected = isConnected
        guard wasConnected || state == .binding else { return [] }
        if madeProgress {
            attempts = 0
            reported = nil
        }
        switch ending {
        case .unreachable:
            // A proxy that ends a connection in which nothing happens is no reason to stay away.
            if wasConnected { attempts = 0 }
            return pause(fraction)
        case .again: return pause(fraction)
        case .busy(let seconds): return rest(seconds, fraction)
        case .elsewhere: return pause(for: Self.takeover)
        case .unauthorized: return awaitUser()
        case .file(let error):
            let isNew = error != reported
            reported = error
            return pause(fraction) + (isNew ? [.report(error)] : [])
        case .fatal(let error):
            number += 1
            state = .failed(error)
            return [.report(error)]
        }
    }

    private mutating func awaitUser() -> [Effect] {
        // Whoever signed in while the refusal was under way is not waited for.
        guard !hasNewUser else { return begin() }
        number += 1
        state = .needsUser
        return [.report(SyncError(.unauthorized))]
    }

    private mutating func pause(_ fraction: Double) -> [Effect] {
        // Whoever asked for an attempt while the last one was failing is not left to wait.
        guard !isHurried else { return begin() }
        return pause(for: backoff(fraction))
    }

    private mutating func rest(_ seconds: Int, _ fraction: Double) -> [Effect] {
        let asked = min(.seconds(max(seconds, 1)), Self.longestRest)
        return pause(for: max(asked, backoff(fraction)), isFixed: true)
    }

    private mutating func pause(for duration: Duration, isFixed: Bool = false) -> [Effect] {
        number += 1
        state = .pausing(isFixed: isFixed)
        return [.pause(number, duration)]
    }

    /// The next pause: twice the last one, less up to a quarter.
    private mutating func backoff(_ fraction: Double) -> Duration {
        var ceiling = Self.minimum
        for _ in 0..<attempts where ceiling < Self.maximum { ceiling *= 2 }
        attempts += 1
        return min(ceiling, Self.maximum) * (1 - min(max(fraction, 0), 1) / 4)
    }
}

// MARK: - What is seen

extension SyncSessionMachine {
    /// Whether the file was presented in the exchange that there is.
    var isConnected: Bool { state == .bootstrapping || state == .exchanging }

    private var isPausing: Bool { if case .pausing = state { true } else { false } }

    private var isOver: Bool { if case .failed = state { true } else { state == .closed } }

    /// Whether it exchanges, or tries to.
    var isActive: Bool { state == .binding || isConnected || isPausing }

    /// Why waiting is in vain; nil while it is not.
    var end: SyncError? {
        switch state {
        case .suspended: SyncError(.clientSessionError, "The session is suspended.")
        case .failed(let error): error
        case .closed: SyncError(.clientSessionError, "The realm was closed.")
        case .needsUser, .binding, .bootstrapping, .exchanging, .pausing: nil
        }
    }
}
