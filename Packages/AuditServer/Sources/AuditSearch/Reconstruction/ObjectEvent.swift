package import AuditModel
package import EventModel

/// An event about an object, as far as a reconstruction needs it.
package struct ObjectEvent: Sendable, Hashable {
    /// Where it lies.
    package let address: EventAddress
    /// Whose it is.
    package let owner: EventOwner?
    /// The device's clocks.
    package let clock: ClockReading
    /// When the server received it.
    package let received: EventInstant?
    /// Whether it belongs to the person or the device whose view is reconstructed.
    package let isOwn: Bool
    /// What it says about the object.
    package let sightings: [ObjectSighting]
}

/// The moment that a reconstruction is of.
package struct ReconstructionMoment: Sendable {
    /// The wall clock.
    package let wall: EventInstant
    /// Of an event: the monotonic clock, which tells before and after within a run even if the wall clock was set.
    package var run: (owner: EventOwner?, boot: Boot)?
    /// The monotonic clock of that run, in nanoseconds.
    package var monotonicNanoseconds: UInt64 = 0

    /// The moment of an instant.
    package init(_ wall: EventInstant) {
        self.wall = wall
    }

    /// The moment of an event.
    package init(_ clock: ClockReading, of owner: EventOwner?) {
        wall = clock.wall
        if clock.boot != .unknown { run = (owner, clock.boot) }
        monotonicNanoseconds = clock.monotonicNanoseconds
    }

    /// Returns whether an event had happened by then, by its device's clocks.
    package func includes(_ observation: ObjectEvent) -> Bool {
        if let run, run.boot == observation.clock.boot, run.owner == observation.owner {
            return observation.clock.monotonicNanoseconds <= monotonicNanoseconds
        }
        return observation.clock.wall <= wall
    }

    /// Returns whether the server had received an event by then.
    package func hasReceived(_ observation: ObjectEvent) -> Bool {
        observation.received.map { $0 <= wall } ?? false
    }
}
