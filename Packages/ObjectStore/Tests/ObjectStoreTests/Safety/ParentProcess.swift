#if os(Linux)
import Foundation

/// The process that a copy was made of, as the copy sees it.
struct ParentProcess {
    /// The end of a pipe that the parent listens to.
    let input: Int32

    /// Tells a number.
    func report(_ number: Int) {
        withUnsafeBytes(of: number) { bytes in
            // A parent that no longer listens does not matter to the copy.
            _ = Glibc.write(input, bytes.baseAddress, bytes.count)
        }
    }

    /// Waits to be killed, or for the parent's own end: a test that fails must not leave a process behind.
    func waitForEnd() {
        // Without events to wait for, only the end of whoever listens is told.
        var descriptor = pollfd(fd: input, events: 0, revents: 0)
        repeat { _ = poll(&descriptor, 1, -1) } while descriptor.revents == 0
    }

    /// Lets the system kill this copy after some time, whatever it is doing then.
    func killMe(after delay: Duration) throws {
        var event = sigevent()
        event.sigev_notify = Int32(SIGEV_SIGNAL)
        event.sigev_signo = SIGKILL
        var timer: timer_t?
        // A time of zero would be none at all.
        let nanoseconds = max(1, Int(delay / .nanoseconds(1)))
        let value = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        var time = itimerspec(it_interval: timespec(), it_value: value)
        guard timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, timer_settime(timer, 0, &time, nil) == 0 else {
            throw POSIXError(.EAGAIN)
        }
    }
}
#endif
