package import EventModel

/// How much memory uploads may take together, however many devices send at once.
///
/// ```
///  request ──▶ lobby ──▶ body is read into the room ──▶ events ──▶ decoded, hashed, stored
///              64        8 MiB                          4 MiB
/// ```
/// The lobby is before the route: see ``UploadDoor``. A body takes room as it arrives: where there is none its bytes stay where they are, in
/// the system's buffers and with the device. Events take some times as much room as the body that they came in, so fewer are decoded
/// at once. Three quarters of the places, and of the room, are the most that one network and one user have, so that there is always
/// something for others.
package struct UploadGates: Sendable {
    /// How many uploads have a task of their own at once.
    ///
    /// Twice as many as share a transaction, so that the next ones are ready when it ends.
    package static let places = 64
    /// How many of these one network may have.
    package static let placesOfNetwork = 48

    /// Where bodies arrive.
    package let bodies: BodyRoom
    /// Admits what is decoded.
    package let events: ByteGate

    /// Creates the gates of a server.
    package init(timer: any EventTimer = SystemTimer()) {
        // A device itself gives up after a minute without an answer.
        bodies = BodyRoom(capacity: 8 << 20, share: 6 << 20, waitNanoseconds: 20_000_000_000, timer: timer)
        events = ByteGate(capacity: 4 << 20, waitNanoseconds: 20_000_000_000, timer: timer)
    }
}
