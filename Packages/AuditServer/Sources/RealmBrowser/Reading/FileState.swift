import EventModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the system says of a realm file and those beside it, as a text that is another one after every commit of any process.
///
/// A commit goes into the log, and when it is visible every writer touches the lock file. A file that was replaced has another number. What
/// changed only just now may change again within the same tick of the system's clock; such a text ends differently, so that one
/// looks once more.
struct FileState: Sendable {
    /// How long a change is a recent one, in microseconds: much longer than a tick.
    private static let recentMicroseconds: Int64 = 200_000

    let path: String
    let clock: any EventClock

    /// The text of now; it tells nobody what is in the file.
    func text() -> String {
        let now = clock.now().wall.microseconds
        var newest = Int64.min
        let parts = ["", "-wal", ".lock"]
            .map { suffix -> String in
                var status = stat()
                guard stat(path + suffix, &status) == 0 else { return "-" }
                #if canImport(Darwin)
                let time = status.st_mtimespec
                #else
                let time = status.st_mtim
                #endif
                newest = max(newest, Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
                return "\(status.st_ino).\(status.st_size).\(time.tv_sec).\(time.tv_nsec)"
            }
        let isRecent = newest > now - Self.recentMicroseconds && newest <= now + Self.recentMicroseconds
        return parts.joined(separator: "_") + (isRecent ? "~" : "")
    }
}
