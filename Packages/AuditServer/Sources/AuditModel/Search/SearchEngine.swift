public import EventModel

/// Finds events quickly: an index of what a store holds, which is derived from it and made anew when it is lost.
///
/// Safe to call from any task. Whatever is thrown is an ``AuditServerError``, or `CancellationError` when the calling task was
/// cancelled. An engine finds what it was filled with, see ``SearchFilling``; every result is compared with the filter as it is
/// in the store now. `SearchConformance` and `VolumeConformance` in AuditServerTesting check an engine against this contract.
public protocol SearchEngine: SearchFilling {
    /// Searches.
    ///
    /// An event that fits no longer and was changed behind the server's back is a result all the same.
    ///
    /// - Parameters:
    ///   - filter: Which events; repeated ones are never found.
    ///   - range: Which part of the results.
    ///   - store: The store that the index is of.
    ///   - clock: What ends a search that takes long.
    /// - Returns: The results in the order of the devices' clocks.
    /// - Throws: `unavailable` when the store or the index fails.
    /// - Complexity: O(log *n* + *k*) for events *n* and candidates *k*: those that have the rarest value of the filter.
    func search(
        _ filter: EventFilter,
        _ range: SearchRange,
        in store: any EventReading,
        clock: any EventClock
    ) async throws -> SearchPage

    /// Counts the events of a filter in bars of equal length.
    ///
    /// - Precondition: There are two bars or more.
    /// - Parameters:
    ///   - filter: Which events; without times, the bars span all of them.
    ///   - bars: The number of bars.
    ///   - clock: What ends a count that takes long; the newest events were counted then.
    /// - Returns: The bars, the earliest first.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the bars and in the thousands of events for a filter of one value, or of none; for others in
    ///   the events that have the rarest value of the filter.
    func volume(of filter: EventFilter, bars: Int, clock: any EventClock) async throws -> SearchVolume

    /// Counts what the events of a filter have in common.
    ///
    /// - Parameters:
    ///   - filter: Which events.
    ///   - limit: How many values of a kind are named, those that most events have.
    ///   - clock: What ends a count that takes long; the newest events were counted then.
    /// - Returns: The counts.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the events that have the rarest value of the filter.
    func summary(of filter: EventFilter, limit: Int, clock: any EventClock) async throws -> SearchSummary

    /// Lists the values that most events have; those of metadata as key, a zero byte and value.
    ///
    /// - Throws: `unavailable` when the index fails.
    func values(_ kind: SearchValue.Kind, limit: Int) async throws -> [SearchValue]

    /// Returns those of the texts that are keys of objects in events that may be read.
    ///
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n* log *m*) for *n* texts and *m* values; for somebody who may not read everything also in the events of
    ///   a key that may not be read.
    func knownKeys(_ texts: [String], _ access: EventAccess) async throws -> [String]

    /// Finds objects by the beginnings of the words that they were called by, or by their key.
    ///
    /// - Parameters:
    ///   - question: What is looked for.
    ///   - limit: The largest number of names.
    ///   - access: Whose events may be told.
    ///   - clock: What ends a walk that takes long.
    /// - Returns: The names: by words those first of which words are whole, then those of most events; of one object the newest first.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the labels that have the rarest of the beginnings, of which 10,000 are looked at; for somebody who may
    ///   not read everything also in the events of a label that may not be read.
    func names(_ question: NameQuestion, limit: Int, _ access: EventAccess, clock: any EventClock) async throws
        -> FoundNames

    /// Returns what the newest events of partitions say; of those alone that may be read and have an event.
    ///
    /// - Throws: `unavailable` when the index fails.
    func circumstances(of partitions: [PartitionID], _ access: EventAccess) async throws -> [PartitionCircumstances]

    /// Lists the runs of devices whose clocks were set, stood still, or were ahead of the server's.
    ///
    /// - Parameters:
    ///   - access: Whose runs may be told.
    ///   - limit: The largest number of runs.
    /// - Returns: The findings by app, account and run.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the runs.
    func clockFindings(_ access: EventAccess, limit: Int) async throws -> [ClockFinding]

    /// Returns the number that tells this index apart from others, and from itself before it was made anew.
    ///
    /// - Throws: `unavailable` when the index fails.
    func generation() async throws -> UInt64

    /// Returns the number of the event that was entered last; 0 when there is none.
    ///
    /// - Throws: `unavailable` when the index fails.
    func lastNumber() async throws -> Int64

    /// Returns what was entered after an event and fits a filter.
    ///
    /// What may not be read is passed over, so that it neither takes room nor tells that it came.
    ///
    /// - Throws: `unavailable` when the store or the index fails.
    func arrivals(after last: Int64, _ filter: EventFilter, in store: any EventReading) async throws -> SearchArrivals
}
