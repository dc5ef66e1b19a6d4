import EventModel

/// How much more may be written before the user's folder must be measured again.
///
/// Measuring walks over a folder that other processes and prefixes fill as well. So each measurement grants a part of the
/// room that it found, and only an append that exceeds the grant measures again. A grant is an eighth of the room and at
/// most ``largestGrant``, so processes that measure at the same time do not exceed the limit together, except by their
/// last grants of ``smallestGrant``.
struct QuotaAccount: Sendable {
    /// No grant is larger, so the folder is measured once for each 4 MiB.
    static let largestGrant: UInt64 = 4 << 20
    /// The rest of the room is granted at once when it is smaller.
    static let smallestGrant: UInt64 = 64 << 10
    /// How long a full folder is not measured again unless something of it goes, in nanoseconds: one second.
    static let patience: UInt64 = 1_000_000_000

    let quota: EventQuota
    /// What the last measurement found.
    private(set) var usedBytes: UInt64 = 0
    /// What may be taken without another measurement.
    private(set) var granted: UInt64
    /// What was taken and is not in a file yet, where a measurement would find it.
    private var unwritten: UInt64 = 0
    private var fullSince: UInt64?

    /// Opens an account; nothing is granted before the first measurement.
    init(_ quota: EventQuota) {
        self.quota = quota
        granted = quota.bytes == .max ? .max : 0
    }

    /// Takes bytes from the grant, or nothing when it is smaller.
    mutating func take(_ bytes: UInt64) -> Bool {
        guard bytes <= granted else { return false }
        guard granted < .max else { return true }
        granted -= bytes
        unwritten += bytes
        return true
    }

    /// Whether it is time to look again: not while the folder was found full a moment ago.
    func mayMeasure(now: UInt64) -> Bool {
        guard let fullSince else { return true }
        return now < fullSince || now - fullSince >= Self.patience
    }

    /// Notes what a measurement found, and grants room.
    ///
    /// - Parameters:
    ///   - used: The size of all files.
    ///   - needed: What the caller wants to take; granted as far as there is room.
    ///   - now: The monotonic time in nanoseconds.
    mutating func didMeasure(_ used: UInt64, needed: UInt64, now: UInt64) {
        usedBytes = used
        let taken = used + unwritten
        let room = quota.bytes > taken ? quota.bytes - taken : 0
        if needed > room {
            granted = room
            fullSince = now
        } else {
            let share = room <= Self.smallestGrant ? room : max(Self.smallestGrant, min(Self.largestGrant, room / 8))
            granted = max(share, needed)
            fullSince = nil
        }
    }

    /// Notes that everything that was taken is in files.
    mutating func didWrite() {
        unwritten = 0
    }

    /// Notes that files went, so that a full folder is worth another look.
    mutating func didFree() {
        fullSince = nil
    }
}
