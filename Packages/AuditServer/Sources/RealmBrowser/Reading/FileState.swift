import EventModel
import Foundation

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
        // Of the file that a symbolic link leads to: the link itself never changes.
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let parts = ["", "-wal", ".lock"]
            .map { suffix -> String in
                // LIVE: what is asked about is a file of this machine; one that is not there is a state, too.
                let found = Result { try FileManager.default.attributesOfItem(atPath: place + suffix) }
                guard case .success(let attributes) = found,
                    let date = attributes[.modificationDate] as? Date,
                    let size = (attributes[.size] as? NSNumber)?.uint64Value,
                    let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
                else { return "-" }
                // A date has a tenth of a microsecond left, and a tick of the clock of files is longer.
                let time = Int64(date.timeIntervalSince1970 * 1_000_000)
                newest = max(newest, time)
                return "\(number).\(size).\(time)"
            }
        let isRecent = newest > now - Self.recentMicroseconds && newest <= now + Self.recentMicroseconds
        return parts.joined(separator: "_") + (isRecent ? "~" : "")
    }
}
