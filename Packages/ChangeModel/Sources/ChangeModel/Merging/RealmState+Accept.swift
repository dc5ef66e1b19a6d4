public import EventModel

extension RealmState {
    /// Gives a change the next number, decides by the rules what comes of it, and returns that as literal values.
    ///
    /// For changes of devices that were at the same position the final state does not depend on the order in which they
    /// arrive, as long as nothing is refused but what was deleted. A change that has a number already is taken once: a
    /// repeated one returns nil.
    ///
    /// - Parameters:
    ///   - change: The change; its clock is lowered if it lies in the future, see ``StampCorrection``.
    ///   - file: The file that it comes from.
    ///   - user: The number of its user in the realm.
    ///   - received: The server's time.
    ///   - digest: The SHA-256 of the change as it was uploaded.
    ///   - refusing: Returns why an operation, given with its index, may not be done; nil if it may.
    /// - Returns: The entry for the log; nil if the change was taken before.
    /// - Throws: ``ChangeModelError/gap(expected:found:)`` when a change before it is missing, and
    ///   ``ChangeModelError/impossibleBase(base:last:head:)`` when no file can have been where it was made; the state
    ///   is unchanged.
    /// - Complexity: O(*n*) in the operations and in what they change, with a look-up for each.
    public mutating func accept(
        _ change: Change,
        of file: UInt32,
        user: UInt32,
        received: EventInstant,
        digest: Digest,
        refusing: (Int, ChangeOperation) -> OperationRefusal? = { _, _ in nil }
    ) throws(ChangeModelError) -> Entry? {
        try accept(change, of: file, user: user, received: received, digest: digest, rules: .all, refusing: refusing)
    }

    /// Does the same with some of the rules alone, for tests.
    package mutating func accept(
        _ change: Change,
        of file: UInt32,
        user: UInt32,
        received: EventInstant,
        digest: Digest,
        rules: RuleSet,
        refusing: (Int, ChangeOperation) -> OperationRefusal?
    ) throws(ChangeModelError) -> Entry? {
        let progress = progress(of: file)
        guard change.number > progress.acknowledged else { return nil }
        guard change.number == progress.acknowledged + 1 else {
            throw .gap(expected: progress.acknowledged + 1, found: change.number)
        }
        guard (progress.base...head).contains(change.base) else {
            throw .impossibleBase(base: change.base, last: progress.base, head: head)
        }
        let seen = rules.contains(.seenIsOlder) ? latestClock(through: change.base) ?? .zero : .zero
        let clock = StampCorrection.accepted(
            change.clock,
            serverMilliseconds: rules.contains(.futureIsLowered) ? received.microseconds / 1000 : Int64.max >> 16,
            after: progress.clock.hearing(seen)
        )
        var acceptance = Acceptance(change: change, file: file, number: head + 1, clock: clock, rules: rules)
        acceptance.run(in: &self, refusing: refusing)
        advance(file, to: FileProgress(acknowledged: change.number, base: change.base, clock: clock))
        return Entry(
            number: head,
            change: ChangeReference(file: file, number: change.number),
            user: user,
            clock: clock,
            received: received,
            results: acceptance.results,
            literals: acceptance.literals,
            corrections: acceptance.corrections(in: self),
            digest: digest
        )
    }
}
