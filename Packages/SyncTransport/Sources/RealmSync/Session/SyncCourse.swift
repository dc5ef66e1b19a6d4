import ChangeModel

/// What a session does when an exchange ended: pure, so that each end can be tabled.
struct SyncCourse {
    /// What comes next.
    enum Step: Equatable {
        /// Waits so long before that, unless the network comes back or somebody asks for it.
        case pause(Duration)
        /// Waits so long, whatever happens: the server asked for it.
        case rest(Duration)
        /// Waits until the user signs in.
        case awaitSignIn
        /// Stops, and keeps everything.
        case stop(SyncError)
    }

    /// The first pause: a second.
    static let minimum = Duration.seconds(1)
    /// The longest pause: five minutes.
    static let maximum = Duration.seconds(300)
    /// The longest pause that a server may ask for: an hour.
    static let longestRest = Duration.seconds(3600)

    /// How many exchanges in a row ended before anything was exchanged.
    private var attempts = 0

    /// Decides what comes next.
    ///
    /// - Parameters:
    ///   - error: What ended the exchange.
    ///   - wasConnected: Whether the file was presented in it.
    ///   - madeProgress: Whether something was exchanged after that.
    ///   - fraction: A random number from 0 to 1: up to a quarter of a pause is left out.
    /// - Returns: The next step.
    mutating func after(_ error: any Error, wasConnected: Bool, madeProgress: Bool, fraction: Double) -> Step {
        if madeProgress { attempts = 0 }
        guard case .failed(let failure) = error as? ChangeModelError else { return unknown(error, fraction) }
        switch failure {
        case .unreachable:
            // A proxy that ends a connection in which nothing happens is no reason to stay away.
            if wasConnected { attempts = 0 }
            return pause(fraction)
        case .busy(let seconds):
            let asked = min(.seconds(max(seconds, 1)), Self.longestRest)
            guard case .pause(let own) = pause(fraction) else { return .rest(asked) }
            return .rest(max(asked, own))
        case .unauthorized: return .awaitSignIn
        // The next bind begins with a snapshot, and says what the file has made: both mend themselves there.
        case .tooOld, .gap: return pause(fraction)
        case .forbidden, .historyChanged, .conflict, .fileInUse, .invalidSchemaChange, .unsupportedVersion, .refused:
            return .stop(SyncError(failure))
        // A word that this version does not know is no reason to go on as if nothing was.
        @unknown default: return .stop(SyncError(failure))
        }
    }

    /// What the file or a liar threw: the file may be full or busy for a while, a lie is one for ever.
    private mutating func unknown(_ error: any Error, _ fraction: Double) -> Step {
        if let lie = error as? SyncLie { return .stop(SyncError(.clientInternalError, lie.description)) }
        if let error = error as? ChangeModelError {
            return .stop(SyncError(.clientInternalError, "What the server sent is wrong. \(error.description)"))
        }
        return pause(fraction)
    }

    private mutating func pause(_ fraction: Double) -> Step {
        var ceiling = Self.minimum
        for _ in 0..<attempts where ceiling < Self.maximum { ceiling *= 2 }
        attempts += 1
        return .pause(min(ceiling, Self.maximum) * (1 - min(max(fraction, 0), 1) / 4))
    }
}
