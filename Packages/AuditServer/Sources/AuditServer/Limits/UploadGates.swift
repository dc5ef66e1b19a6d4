import EventModel

/// How much memory uploads may take together, however many devices send at once.
///
/// ```
///  request ──▶ lobby ──▶ bodies ──▶ body is read ──▶ events ──▶ decoded, hashed, stored
///              64        8 MiB                       4 MiB
/// ```
/// The lobby is before the route: see ``UploadDoor``. A body is not read before there is room for it: until then its bytes stay where they are, in the system's buffers and with
/// the device. Events take some times as much room as the body that they came in, so fewer are decoded at once.
struct UploadGates: Sendable {
    /// How many uploads have a task of their own at once.
    ///
    /// Twice as many as share a transaction, so that the next ones are ready when it ends.
    static let places = 64

    /// Admits bodies.
    let bodies: ByteGate
    /// Admits what is decoded.
    let events: ByteGate

    /// Creates the gates of a server.
    init(timer: any EventTimer = SystemTimer()) {
        // A device itself gives up after a minute without an answer.
        bodies = ByteGate(capacity: 8 << 20, waitNanoseconds: 20_000_000_000, timer: timer)
        events = ByteGate(capacity: 4 << 20, waitNanoseconds: 20_000_000_000, timer: timer)
    }
}
