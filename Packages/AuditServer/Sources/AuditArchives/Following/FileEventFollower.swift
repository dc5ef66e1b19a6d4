package import AuditModel
import EventModel
import EventPartitions
import Foundation

/// Follows the event files below a folder, also those that another process is writing.
package struct FileEventFollower: EventFollower {
    /// A file that was changed in these last seconds may change again without its time telling.
    private static let settlingSeconds = 2.0

    /// How far a file was read.
    private struct Place {
        var sequence: UInt64 = 0
        /// The time of its last change when it was read, once that was long enough ago.
        var settled: Date?
        var isEnded = false
    }

    private let archive: FileEventArchive
    private let filter: EventFilter
    private var places: [ExactText: Place] = [:]
    private var reported: Set<ExactText> = []

    /// Prepares to follow.
    package init(_ archive: FileEventArchive, _ filter: EventFilter) {
        self.archive = archive
        self.filter = filter
    }

    package mutating func next(_ body: (EventLine) throws -> Void, report: (String) -> Void) async throws -> Bool {
        let paths = try archive.paths()
        // A file that was uploaded is deleted.
        let names = Set(paths.map { ExactText($0) })
        places = places.filter { names.contains($0.key) }
        var isNew = false
        for path in paths {
            var place = places[ExactText(path)] ?? Place()
            let changed = Self.modified(path)
            if place.isEnded || (changed != nil && place.settled == changed) { continue }
            // LIVE: compared with the file system's own times.
            let isSettled = changed.map { Date().timeIntervalSince($0) > Self.settlingSeconds } ?? false
            let before = place.sequence
            do {
                try read(path, &place, body, report: report)
            } catch let error as PartitionError {
                note("\(error)", report)
            }
            isNew = isNew || place.sequence > before
            place.settled = isSettled ? changed : nil
            places[ExactText(path)] = place
        }
        return isNew
    }

    /// Reads what is new in a file, and says where it is damaged.
    private mutating func read(
        _ path: String,
        _ place: inout Place,
        _ body: (EventLine) throws -> Void,
        report: (String) -> Void
    ) throws {
        if try !archive.isOfDevice(filter, path) { return }
        var reader = try PartitionFileReader(path, encryptionKey: archive.encryptionKey)
        var isAtEnd = false
        while !isAtEnd {
            let found: FiledEvent?
            do throws(PartitionError) {
                found = try reader.next()
            } catch {
                guard case .damaged = error else {
                    place.isEnded = true
                    throw error
                }
                note("\(error)", report)
                continue
            }
            isAtEnd = found == nil
            guard let found, found.sequence > place.sequence else { continue }
            place.sequence = found.sequence
            let stored = FileEventArchive.stored(found)
            if filter.matches(stored) { try body(EventLine(stored)) }
        }
        place.isEnded = reader.seal != nil
    }

    private mutating func note(_ problem: String, _ report: (String) -> Void) {
        if reported.insert(ExactText(problem)).inserted { report(problem) }
    }

    private static func modified(_ path: String) -> Date? {
        // LIVE: the outermost layer, which looks at files of this machine; a file that is gone is read again and says so.
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
}
