import Dispatch
import EventModel
import Synchronization

extension PartitionedEventFiles {
    /// Notes when the partition that is written to got its first event, and arranges that it is closed in time.
    func didBegin(_ partition: PartitionID) {
        guard let closing = policy.closing else { return }
        let now = clock.now()
        state.withLock { $0.begun = now }
        timer.schedule(afterNanoseconds: closing.nanoseconds) { [weak self] in
            self?.syncing.async { self?.close(partition) }
        }
    }

    /// Whether the partition that is written to has been open for as long as the policy allows, by either clock.
    ///
    /// While a device sleeps no timer runs and, on Linux, no monotonic clock; a wall clock that is set ahead closes one too early.
    func isClosingDue() -> Bool {
        guard let closing = policy.closing, let begun = state.withLock({ $0.begun }) else { return false }
        let now = clock.now()
        let wall = now.wall.microseconds.subtractingReportingOverflow(begun.wall.microseconds)
        let isSameBoot = now.boot == begun.boot && now.monotonicNanoseconds >= begun.monotonicNanoseconds
        let monotonic = isSameBoot ? now.monotonicNanoseconds - begun.monotonicNanoseconds : 0
        return monotonic >= closing.nanoseconds || wall.overflow || wall.partialValue >= closing.microseconds
    }

    /// Closes the partition that is written to if its time has come while the device slept.
    func closeIfDue() {
        guard isClosingDue(), let current = state.withLock({ $0.current }) else { return }
        close(current)
    }

    private func close(_ partition: PartitionID) {
        guard state.withLock({ $0.current == partition && !$0.isClosed }) else { return }
        do {
            try submit(.sealIfWritten(partition))
        } catch PartitionError.closed {
            // Closing has sealed it.
        } catch {
            report(error)
        }
    }
}
