package import AuditModel

/// Gives events as they arrive: the first time what is there, then what is new since the last time.
package protocol EventFollower: Sendable {
    /// Calls the closure with each event that is new and fits.
    ///
    /// - Parameters:
    ///   - body: Takes an event.
    ///   - report: Takes a sentence for what could not be read, each once.
    /// - Returns: Whether anything was new, whether it fits or not.
    /// - Throws: What the closure throws, and ``CommandError`` or `PartitionError` when nothing can be read.
    mutating func next(_ body: (EventLine) throws -> Void, report: (String) -> Void) async throws -> Bool
}

/// Asks a follower again and again, less often the longer nothing comes, until its task is cancelled.
package struct FollowLoop: Sendable {
    /// The pause after something came, in nanoseconds.
    package var shortestPause: UInt64
    /// The pause after nothing came for long.
    package var longestPause: UInt64
    /// The pause after the server did not answer for long.
    package var longestOutage: UInt64
    /// Waits; throws when the task is cancelled.
    package var pause: @Sendable (_ nanoseconds: UInt64) async throws -> Void

    /// Creates a loop; the pauses are in nanoseconds.
    package init(
        shortestPause: UInt64 = 500_000_000,
        longestPause: UInt64 = 4_000_000_000,
        longestOutage: UInt64 = 30_000_000_000,
        pause: @escaping @Sendable (_ nanoseconds: UInt64) async throws -> Void = {
            try await Task.sleep(nanoseconds: $0)
        }
    ) {
        self.shortestPause = shortestPause
        self.longestPause = longestPause
        self.longestOutage = longestOutage
        self.pause = pause
    }

    /// Follows.
    ///
    /// A server that does not answer any more is asked again; one that never answered, or refuses, ends it.
    ///
    /// - Parameters:
    ///   - follower: What is followed.
    ///   - body: Takes an event.
    ///   - batch: Called after the events that came at once.
    ///   - report: Takes a sentence for somebody who watches.
    /// - Throws: What the follower throws, but for outages.
    package func run(
        _ follower: some EventFollower,
        _ body: (EventLine) throws -> Void,
        batch: () -> Void,
        report: (String) -> Void
    ) async throws {
        var follower = follower
        var nanoseconds = shortestPause
        var hasBegun = false
        var isOut = false
        while !Task.isCancelled {
            do {
                let isNew = try await follower.next(body, report: report)
                batch()
                if isOut { report("The server answers again.") }
                (hasBegun, isOut) = (true, false)
                nanoseconds = isNew ? shortestPause : min(nanoseconds * 2, longestPause)
            } catch let error as CommandError where hasBegun && error.isOutage {
                batch()
                if Task.isCancelled { return }
                if !isOut { report("\(error) It is asked again.") }
                isOut = true
                nanoseconds = min(nanoseconds * 2, longestOutage)
            } catch {
                batch()
                // The end of the task ends what it waits for with an error of its own.
                if Task.isCancelled { return }
                throw error
            }
            do {
                try await pause(nanoseconds)
            } catch is CancellationError {
                return
            }
        }
    }
}

extension CommandError {
    /// Whether the same request may be answered later.
    fileprivate var isOutage: Bool {
        switch self {
        case .unreachable: true
        case .refused(let status, _): status == 429 || status >= 500
        default: false
        }
    }
}
