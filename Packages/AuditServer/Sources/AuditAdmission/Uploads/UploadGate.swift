import AuditModel
package import EventModel
import Synchronization

/// Decides which uploads go on now, and how much of them is in memory, however many devices send at once.
///
/// ```
///  request ──▶ place ──▶ body ──▶ events, decoded as they arrive ──▶ stored, place and room are free again
///              64        └── 12 MiB for all of them ──┘
/// ```
/// A place is asked for before the route, at the connection. A body takes room as it arrives: where there is none its bytes stay where
/// they are, in the system's buffers and with the device. Three quarters of the places, and of the room, are the most that one network
/// and one user have, so that there is always something for others.
package final class UploadGate: Sendable {
    /// Names an upload that waits for a place.
    package typealias Number = UInt64

    /// How much there is.
    package struct Bounds: Sendable {
        /// How many uploads have a task of their own at once.
        ///
        /// Twice as many as share a transaction, so that the next ones are ready when it ends.
        package var places = 64
        /// How many of these one network may have.
        package var placesOfNetwork = 48
        /// How many bytes the uploads may take in memory together.
        package var bytes = 12 << 20
        /// How many of these may be one user's.
        package var bytesOfUser = 9 << 20
        /// How long an upload may wait for room; a device itself gives up after a minute without an answer.
        package var waitNanoseconds: UInt64 = 20_000_000_000

        /// The bounds of a server.
        package init() {}
    }

    /// An upload that arrives; it gives its room back when ``UploadGate/upload(of:_:)`` ends.
    package struct Arrival: Sendable {
        fileprivate let number: UInt64
        fileprivate let owner: EventOwner
        fileprivate let gate: UploadGate

        /// Takes room for what has arrived, or waits for it.
        ///
        /// - Throws: `AuditServerError` when the wait was too long, and `CancellationError`.
        package func charge(_ bytes: Int) async throws {
            try await gate.charge(bytes, number, owner)
        }
    }

    private struct State {
        var line: PlaceLine
        var room: UploadRoom
    }

    private let bounds: Bounds
    private let timer: any EventTimer
    private let state: Mutex<State>

    /// Creates a gate with nobody inside.
    ///
    /// - Parameters:
    ///   - bounds: How much there is.
    ///   - timer: What ends the waiting for room.
    package init(_ bounds: Bounds = Bounds(), timer: any EventTimer = SystemTimer()) {
        self.bounds = bounds
        self.timer = timer
        state = Mutex(
            State(
                line: PlaceLine(places: bounds.places, share: bounds.placesOfNetwork),
                room: UploadRoom(capacity: bounds.bytes, share: bounds.bytesOfUser)
            )
        )
    }

    // MARK: - Places

    /// How many uploads wait for a place.
    package var lineCount: Int { state.withLock { $0.line.count } }

    /// Takes a place, or a number in the line if there is none.
    ///
    /// - Parameters:
    ///   - network: Where the upload comes from, see ``NetworkName``.
    ///   - admitted: Called once, from any thread, when a place was taken for somebody who had to wait.
    /// - Returns: The number of who waits; nil if a place was free.
    package func enter(from network: ExactText, admitted: @escaping @Sendable () -> Void) -> Number? {
        state.withLock { $0.line.enter(from: network, admitted: admitted) }
    }

    /// Gives a place back, to whoever waits the longest and whose network has no more than its share.
    ///
    /// - Complexity: O(*n*) in those who wait from networks that have their share.
    package func leave(_ network: ExactText) {
        let next = state.withLock { $0.line.leave(network) }
        next?.admitted()
    }

    /// Leaves the line.
    ///
    /// - Returns: Whether the number still waited; if not, it has a place, and is told so or will be.
    /// - Complexity: O(*n*) in those who wait.
    package func giveUp(_ number: Number) -> Bool { state.withLock { $0.line.giveUp(number) } }

    // MARK: - Room

    /// How many bytes are taken.
    package var usedBytes: Int { state.withLock(\.room.used) }

    /// Whether half of the room is free, so that a connection may read in large parts.
    package var isRoomy: Bool { usedBytes < bounds.bytes / 2 }

    /// How many uploads wait for room.
    package var waitingCount: Int { state.withLock { $0.room.waiters.count } }

    /// Runs work that reads and stores an upload of a user, which takes no room before it arrives.
    ///
    /// - Throws: What the work throws.
    package func upload<T>(of owner: EventOwner, _ work: (Arrival) async throws -> T) async throws -> T {
        let number = state.withLock { $0.room.number() }
        defer {
            let admitted = state.withLock { $0.room.leave(number, owner) }
            for waiter in admitted { waiter.continuation.resume() }
        }
        return try await work(Arrival(number: number, owner: owner, gate: self))
    }

    private func charge(_ bytes: Int, _ number: UInt64, _ owner: EventOwner) async throws {
        let wait = state.withLock { state in
            state.room.take(bytes, number, owner) ? nil : state.room.number()
        }
        guard let wait else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let admitted: [UploadRoom.Waiter]? = state.withLock { state in
                    // Cancelled before: the handler has run already and found nobody.
                    if Task.isCancelled { return nil }
                    return state.room.wait(
                        UploadRoom.Waiter(
                            number: number,
                            wait: wait,
                            bytes: bytes,
                            owner: owner,
                            continuation: continuation
                        )
                    )
                }
                guard let admitted else { return continuation.resume(throwing: CancellationError()) }
                for waiter in admitted { waiter.continuation.resume() }
                timer.schedule(afterNanoseconds: bounds.waitNanoseconds) { [weak self] in
                    self?.dismiss(wait, isLate: true)
                }
            }
        } onCancel: {
            dismiss(wait, isLate: false)
        }
    }

    /// Sends an upload away that still waits for room.
    private func dismiss(_ wait: UInt64, isLate: Bool) {
        guard let (waiter, isOfShare) = state.withLock({ $0.room.endWait(wait) }) else { return }
        let error: any Error =
            isLate
            ? AuditServerError.refused(isOfShare ? .userShare : .fullRoom, retryAfterSeconds: 5) : CancellationError()
        waiter.continuation.resume(throwing: error)
    }
}
