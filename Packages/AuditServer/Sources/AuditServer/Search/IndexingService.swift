import Logging
import ServiceLifecycle

/// Brings the search index up to date in the background for as long as the server runs.
struct IndexingService: Service {
    /// How many events are entered before somebody else may have the processor.
    private static let batch = 5000
    /// After how many rests all partitions are looked at, because another server may have stored events.
    private static let restsPerSweep = 30

    let store: any EventStore
    let index: SearchIndex
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var rests = 0
            while !Task.isCancelled {
                do {
                    let isCurrent = try await index.refresh(from: store, maximumEvents: Self.batch)
                    if !isCurrent {
                        await Task.yield()
                        continue
                    }
                } catch is CancellationError {
                    return
                } catch {
                    // A search says the same to whoever waits for it; this goes on as soon as the store does.
                    logger.warning("the search index waits for the store", metadata: ["error": "\(error)"])
                }
                rests += 1
                if rests.isMultiple(of: Self.restsPerSweep) { index.invalidate() }
                do {
                    try await Task.sleep(for: .seconds(2))
                } catch {
                    // Only the end of the server wakes it early.
                    return
                }
            }
        }
    }
}
