import EventModel

/// The memory that uploads take, each for what has arrived of it and not for what it announced, and who waits for more.
///
/// Where there is no more room an upload waits with what it has. So that the uploads do not all wait for each other, the one that
/// waits the longest may go on beyond the room until it is stored; it is one at a time, and no body is larger than a stretch may be.
struct UploadRoom {
    struct Waiter {
        /// Which upload it is.
        let number: UInt64
        /// Which wait, as one upload may wait several times.
        let wait: UInt64
        let bytes: Int
        let owner: EventOwner
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let capacity: Int
    private let share: Int
    private(set) var used = 0
    private var usedByOwner: [EventOwner: Int] = [:]
    /// What each upload has taken.
    private var taken: [UInt64: Int] = [:]
    private(set) var waiters: [Waiter] = []
    /// The upload that may go on beyond the room.
    private var privileged: UInt64?
    private var lastNumber: UInt64 = 0

    /// Creates an empty room.
    init(capacity: Int, share: Int) {
        self.capacity = capacity
        self.share = share
    }

    /// Names an upload, or a wait of one.
    mutating func number() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Takes room, unless the upload or another one has to wait.
    mutating func take(_ bytes: Int, _ number: UInt64, _ owner: EventOwner) -> Bool {
        guard waiters.isEmpty || privileged == number, fits(bytes, number, owner) else { return false }
        add(bytes, number, owner)
        return true
    }

    /// Waits for room, and returns who has it now: the longest waiting upload may go on beyond the room if no other one does.
    mutating func wait(_ waiter: Waiter) -> [Waiter] {
        waiters.append(waiter)
        return admit()
    }

    /// Ends a wait; nil if it has ended, and otherwise also whether it is the owner's share that is used up.
    mutating func endWait(_ wait: UInt64) -> (waiter: Waiter, isOfShare: Bool)? {
        guard let index = waiters.firstIndex(where: { $0.wait == wait }) else { return nil }
        let waiter = waiters.remove(at: index)
        return (waiter, usedByOwner[waiter.owner, default: 0] + waiter.bytes > share)
    }

    /// Gives the room of an upload back, and returns who has it now.
    mutating func leave(_ number: UInt64, _ owner: EventOwner) -> [Waiter] {
        let bytes = taken.removeValue(forKey: number) ?? 0
        used -= bytes
        if let rest = usedByOwner[owner].map({ $0 - bytes }) { usedByOwner[owner] = rest > 0 ? rest : nil }
        if privileged == number { privileged = nil }
        return admit()
    }

    private mutating func add(_ bytes: Int, _ number: UInt64, _ owner: EventOwner) {
        used += bytes
        usedByOwner[owner, default: 0] += bytes
        taken[number, default: 0] += bytes
    }

    private func fits(_ bytes: Int, _ number: UInt64, _ owner: EventOwner) -> Bool {
        if privileged == number { return true }
        return used + bytes <= capacity && usedByOwner[owner, default: 0] + bytes <= share
    }

    /// Lets in whoever has room now; the first of the others becomes the privileged one if there is none.
    private mutating func admit() -> [Waiter] {
        var admitted: [Waiter] = []
        var rest: [Waiter] = []
        for waiter in waiters {
            if privileged == nil, !fits(waiter.bytes, waiter.number, waiter.owner) { privileged = waiter.number }
            if fits(waiter.bytes, waiter.number, waiter.owner) {
                add(waiter.bytes, waiter.number, waiter.owner)
                admitted.append(waiter)
            } else {
                rest.append(waiter)
            }
        }
        waiters = rest
        return admitted
    }
}
