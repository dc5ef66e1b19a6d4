public import ChangeModel
public import EventModel

extension ElementID {
    /// The id with a small number, for tests that name their elements themselves.
    ///
    /// - Precondition: The number is greater than 0.
    public static func sample(_ number: Int) -> ElementID {
        guard number > 0, let id = ElementID(bits: UInt64(number)) else {
            preconditionFailure("An element of a test has a number from 1.")
        }
        return id
    }
}

extension ObjectAddress {
    /// The object of class `Person` with an integer key.
    public static func sample(_ key: Int64 = 1, of className: ExactText = "Person") -> ObjectAddress {
        ObjectAddress(className, .int(key))
    }
}

extension Change {
    /// A change of one operation, with everything that a test does not care for chosen.
    public static func sample(
        number: Int = 1,
        base: Int = 0,
        milliseconds: Int64 = 1000,
        isAtomic: Bool = false,
        operations: [ChangeOperation] = [ChangeOperation(.sample(), .set("name", .string("Tony")))]
    ) -> Change {
        Change(
            number: number,
            base: base,
            clock: HybridClock(milliseconds: milliseconds),
            isAtomic: isAtomic,
            operations: operations
        )
    }
}

extension EventInstant {
    /// A time of a server that is later than that of every clock in the tests, so that it lowers none.
    public static var sample: EventInstant { EventInstant(microseconds: 1_000_000_000_000_000) }
}

extension Digest {
    /// The digest of 32 zeros, for those who do not look at it.
    public static var sample: Digest {
        guard let zeros = Digest(repeatElement(0, count: Digest.byteCount)) else {
            preconditionFailure("A digest has \(Digest.byteCount) bytes.")
        }
        return zeros
    }
}
