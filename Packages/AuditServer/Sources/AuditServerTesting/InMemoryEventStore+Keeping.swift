public import AuditModel
import EventModel
import Synchronization

extension InMemoryEventStore {
    /// Lists all holds.
    public func holds() async throws -> [LegalHold] { state.withLock { $0.holds } }

    /// Places a hold.
    public func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) async throws -> LegalHold {
        state.withLock { state in
            let hold = LegalHold(number: Int64(state.holds.count + 1), name: name, filter: filter, placed: act)
            state.holds.append(hold)
            return hold
        }
    }

    /// Lifts a hold.
    public func liftHold(_ number: Int64, _ act: LegalHold.Act) async throws -> LegalHold? {
        state.withLock { state in
            guard let index = state.holds.firstIndex(where: { $0.number == number && $0.lifted == nil }) else {
                return nil
            }
            let hold = state.holds[index]
            state.holds[index] = LegalHold(
                number: number,
                name: hold.name,
                filter: hold.filter,
                placed: hold.placed,
                lifted: act
            )
            return state.holds[index]
        }
    }

    /// Writes down what is to be erased.
    public func begin(_ order: ErasureOrder) async throws -> ErasureRecord {
        state.withLock { state in
            let record = ErasureRecord(number: Int64(state.erasures.count + 1), order: order)
            state.erasures.append(record)
            return record
        }
    }

    /// Erases events.
    public func erase(_ addresses: [EventAddress], for erasure: Int64) async throws -> ErasureStep {
        try state.withLock { state in
            guard state.erasures.contains(where: { $0.number == erasure && $0.result == nil }) else {
                throw AuditServerError.unavailable(reason: "the erasure is not under way")
            }
            let events = addresses.compactMap { address in
                state.shelves[address.partition]?.events.first { $0.sequence == address.sequence }
            }
            let (doomed, step) = ErasureJudge(state.holds).step(events)
            for stored in doomed {
                state.shelves[stored.partition]?.events[Int(stored.sequence - 1)] = StoredEvent(
                    partition: stored.partition,
                    sequence: stored.sequence,
                    owner: stored.owner,
                    event: nil,
                    leaf: stored.leaf,
                    received: stored.received,
                    mark: stored.mark,
                    isRepeated: stored.isRepeated,
                    erasure: erasure
                )
                state.ranges[erasure, default: []]
                    .append(
                        ErasedRange(partition: stored.partition, first: stored.sequence, last: stored.sequence)
                    )
            }
            return step
        }
    }

    /// Ends an erasure.
    public func finish(_ erasure: Int64) async throws -> ErasureRecord {
        try state.withLock { state in
            guard let index = state.erasures.firstIndex(where: { $0.number == erasure }) else {
                throw AuditServerError.unavailable(reason: "the record of an erasure is damaged")
            }
            let record = state.erasures[index]
            if record.result != nil { return record }
            state.erasures[index] = ErasureRecord(
                number: erasure,
                order: record.order,
                result: ErasedRanges(state.ranges[erasure] ?? []).result
            )
            return state.erasures[index]
        }
    }

    /// Lists erasures behind a number.
    public func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] {
        Array(state.withLock { $0.erasures }.drop { $0.number <= number }.prefix(limit))
    }

    /// Lists which events an erasure took.
    public func ranges(of erasure: Int64) async throws -> ErasedRanges {
        ErasedRanges(state.withLock { $0.ranges[erasure] ?? [] })
    }
}
