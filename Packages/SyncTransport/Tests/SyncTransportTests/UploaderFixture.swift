import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting

/// An uploader between a source and a transport that a test scripts, with its time in the hands of the test.
struct UploaderFixture {
    let source = FakePartitionSource()
    let reports = Reports()
    let sleep = ManualSleep()

    func uploader(
        _ transport: any EventTransport,
        limits: UploadLimits = UploadLimits(),
        hasHandler: Bool = true,
        network: AsyncStream<Void>? = nil
    ) -> Uploader {
        Uploader(
            source: source,
            transport: transport,
            limits: limits,
            reporting: reports.reporting(hasHandler: hasHandler),
            environment: environment(network)
        )
    }

    /// Time by hand, pauses without chance, and a network that returns when the test says so.
    func environment(_ network: AsyncStream<Void>? = nil) -> UploadEnvironment {
        UploadEnvironment(
            sleep: { [sleep] in try await sleep.sleep($0) },
            randomFraction: { 1 },
            networkReturns: { network ?? AsyncStream { $0.finish() } }
        )
    }

    /// Appends events of one byte each.
    func fill(_ partition: PartitionID, count: UInt8, sealed: Bool = false) {
        for number in 0..<count { source.append([number + 1], to: partition) }
        if sealed { source.seal(partition) }
    }

    /// Waits for a pause that is not that of the timer.
    func nextBackoff() async -> Duration? {
        await sleep.nextPause(ignoring: UploadLimits().interval)
    }
}
