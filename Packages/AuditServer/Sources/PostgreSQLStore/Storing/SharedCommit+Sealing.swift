import EventModel

extension SharedCommit<PartitionSealing, Bool> {
    /// How many partitions are sealed in one transaction; the head of the log is locked for its last statements and its commit.
    private static var groupCount: Int { 256 }
    /// How many bytes of seals there are in one: 4 MiB, sixty-four of the largest.
    private static var groupBytes: Int { 4_194_304 }

    /// Seals partitions; the answer is false for one that has to be decided in a transaction of its own.
    static func sealing(
        _ configuration: PostgreSQLConfiguration,
        _ confirmed: ConfirmedLog,
        _ timer: any EventTimer
    ) -> SharedCommit {
        SharedCommit(
            ConnectionLane(address: configuration.address, name: "daybook.sealing"),
            limits: Limits(
                maximumWaiting: configuration.maximumWaiting,
                waitNanoseconds: configuration.waitNanoseconds,
                groupCount: groupCount,
                groupBytes: groupBytes
            ),
            timer: timer,
            size: \.byteCount
        ) { sealings, connection in
            do {
                let outcome = try connection.acknowledged {
                    try SealTransaction(connection: connection).seal(sealings)
                }
                if let outcome {
                    confirmed.note(outcome.log)
                    return outcome.areSealed
                }
            } catch let failure as PostgreSQLFailure where failure.isOfRows {
                // Nothing is sealed. Whose row it is turns out when each is alone.
            }
            return sealings.map { _ in false }
        }
    }
}
