import AuditModel
package import EventModel
import Synchronization

/// The memory that bodies take while they arrive: each is charged for what has arrived of it, and not for what it announced.
///
/// ```
///  room   ████████████░░░░   what has arrived of all bodies
///  a user ██████░░            at most a share of it, so that others find room
/// ```
/// Where there is no more room a body waits with what it has. So that the bodies do not all wait for each other, the one that
/// waits the longest may go on beyond the room until it is whole; it is one at a time, and no body is larger than a stretch may be.
package final class BodyRoom: Sendable {
    /// A body that arrives; it gives its room back when ``BodyRoom/pass(of:_:)`` ends.
    package struct Body: Sendable {
        fileprivate let number: UInt64
        fileprivate let owner: EventOwner
        fileprivate let room: BodyRoom

        /// Takes room for what has arrived, or waits for it.
        ///
        /// - Throws: `AuditServerError` when the wait was too long, and `CancellationError`.
        package func charge(_ bytes: Int) async throws {
            try await room.charge(bytes, number, owner)
        }
    }

    private struct Waiter {
        /// Which body it is.
        let number: UInt64
        /// Which wait, as one body may wait several times.
        let wait: UInt64
        let bytes: Int
        let owner: EventOwner
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var used = 0
        var usedByOwner: [EventOwner: Int] = [:]
        /// What each body has taken.
        var taken: [UInt64: Int] = [:]
        var waiters: [Waiter] = []
        /// The body that may go on beyond the room.
        var privileged: UInt64?
        private var lastNumber: UInt64 = 0

        /// Names a body, or a wait of one.
        mutating func number() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }

        mutating func take(_ bytes: Int, _ number: UInt64, _ owner: EventOwner) {
            used += bytes
            usedByOwner[owner, default: 0] += bytes
            taken[number, default: 0] += bytes
        }

        /// Returns whether a body may take bytes now.
        func fits(_ bytes: Int, _ number: UInt64, _ owner: EventOwner, _ capacity: Int, _ share: Int) -> Bool {
            if privileged == number { return true }
            return used + bytes <= capacity && usedByOwner[owner, default: 0] + bytes <= share
        }

        /// Lets in whoever has room now; the first of the others becomes the privileged one if there is none.
        mutating func admit(_ capacity: Int, _ share: Int) -> [Waiter] {
            var admitted: [Waiter] = []
            var rest: [Waiter] = []
            for waiter in waiters {
                if privileged == nil, !fits(waiter.bytes, waiter.number, waiter.owner, capacity, share) {
                    privileged = waiter.number
                }
                if fits(waiter.bytes, waiter.number, waiter.owner, capacity, share) {
                    take(waiter.bytes, waiter.number, waiter.owner)
                    admitted.append(waiter)
                } else {
                    rest.append(waiter)
                }
            }
            waiters = rest
            return admitted
        }
    }

    private let capacity: Int
    private let share: Int
    private let waitNanoseconds: UInt64
    private let timer: any EventTimer
    private let state = Mutex(State())

    /// Creates a room with nobody inside.
    ///
    /// - Parameters:
    ///   - capacity: How many bytes of bodies there may be.
    ///   - share: How many of them may be one user's.
    ///   - waitNanoseconds: How long a body may wait for room.
    ///   - timer: What ends the waiting.
    package init(capacity: Int, share: Int, waitNanoseconds: UInt64, timer: any EventTimer) {
        self.capacity = capacity
        self.share = share
        self.waitNanoseconds = waitNanoseconds
        self.timer = timer
    }

    /// How many bytes are taken.
    package var used: Int { state.withLock(\.used) }

    /// Whether half of the room is free, so that a connection may read in large parts.
    package var isRoomy: Bool { used < capacity / 2 }

    /// How many bodies wait for room.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Runs work that reads a body of a user, which takes no room before it arrives.
    ///
    /// - Throws: What the work throws.
    package func pass<T>(of owner: EventOwner, _ work: (Body) async throws -> T) async throws -> T {
        let number = state.withLock { $0.number() }
        defer { leave(number, owner) }
        return try await work(Body(number: number, owner: owner, room: self))
    }

    private func charge(_ bytes: Int, _ number: UInt64, _ owner: EventOwner) async throws {
        let isIn = state.withLock { state in
            guard state.waiters.isEmpty || state.privileged == number,
                state.fits(bytes, number, owner, capacity, share)
            else { return false }
            state.take(bytes, number, owner)
            return true
        }
        if isIn { return }
        let wait = state.withLock { $0.number() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let admitted: [Waiter]? = state.withLock { state in
                    // Cancelled before: the handler has run already and found nobody.
                    if Task.isCancelled { return nil }
                    state.waiters.append(
                        Waiter(
                            number: number,
                            wait: wait,
                            bytes: bytes,
                            owner: owner,
                            continuation: continuation
                        )
                    )
                    return state.admit(capacity, share)
                }
                guard let admitted else { return continuation.resume(throwing: CancellationError()) }
                for waiter in admitted { waiter.continuation.resume() }
                timer.schedule(afterNanoseconds: waitNanoseconds) { [weak self] in self?.dismiss(wait, isLate: true) }
            }
        } onCancel: {
            dismiss(wait, isLate: false)
        }
    }

    /// Sends a body away that still waits.
    private func dismiss(_ wait: UInt64, isLate: Bool) {
        let (dismissed, error) = state.withLock { state -> (Waiter?, any Error) in
            guard let index = state.waiters.firstIndex(where: { $0.wait == wait }) else {
                return (nil, CancellationError())
            }
            let waiter = state.waiters.remove(at: index)
            guard isLate else { return (waiter, CancellationError()) }
            let isOfShare = state.usedByOwner[waiter.owner, default: 0] + waiter.bytes > share
            return (waiter, AuditServerError.refused(isOfShare ? .userShare : .fullRoom, retryAfterSeconds: 5))
        }
        dismissed?.continuation.resume(throwing: error)
    }

    private func leave(_ number: UInt64, _ owner: EventOwner) {
        let admitted = state.withLock { state -> [Waiter] in
            let bytes = state.taken.removeValue(forKey: number) ?? 0
            state.used -= bytes
            if let rest = state.usedByOwner[owner].map({ $0 - bytes }) {
                state.usedByOwner[owner] = rest > 0 ? rest : nil
            }
            if state.privileged == number { state.privileged = nil }
            return state.admit(capacity, share)
        }
        for waiter in admitted { waiter.continuation.resume() }
    }
}
