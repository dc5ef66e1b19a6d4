import AuditModel
import EventModel
import Logging
import ServiceLifecycle

/// Brings the search index up to date in the background for as long as the server runs.
struct IndexingService: Service {
    /// How many events are entered before somebody else may have the processor.
    private static let batch = 2000
    /// How often all partitions are looked at, because another server may have stored events; in nanoseconds.
    private static let sweepNanoseconds: UInt64 = 60_000_000_000

    let store: any EventReading
    let index: any SearchFilling
    let clock: any EventClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var swept = clock.now().monotonicNanoseconds
            var pace = IndexingPace()
            while !Task.isCancelled {
                var rest = Duration.seconds(2)
                do {
                    let start = clock.now().monotonicNanoseconds
                    if start &- swept >= Self.sweepNanoseconds {
                        index.invalidate()
                        swept = start
                    }
                    let isCurrent = try await index.refresh(from: store, maximumEvents: Self.batch)
                    let spent = clock.now().monotonicNanoseconds &- start
                    let pause = pace.rest(after: spent, uploads: index.uploadCount)
                    if !isCurrent { rest = .nanoseconds(Int64(clamping: pause)) }
                } catch is CancellationError {
                    return
                } catch {
                    // A search says the same to whoever waits for it; this goes on as soon as the store does.
                    logger.warning("the search index waits for the store", metadata: ["error": "\(error)"])
                }
                if rest == .zero {
                    await Task.yield()
                    continue
                }
                guard await goesOn(after: rest, by: { try await Task.sleep(for: $0) }) else { return }
            }
        }
    }
}
