package import Dispatch
package import EventModel
import Synchronization

/// The destinations of a process, one for each folder: who opens a folder that is open already shares what is there.
///
/// A destination ends with the last realm that holds it, on whatever thread that is. Whoever opens its folder meanwhile waits until the
/// files are free. One call opens a folder at a time, because opening recovers what is in it, and a second one would repeat that.
package final class OpenDestinations<Files: EventFiles, Journals: ScopeJournalStore, Upload: EventUploader>: Sendable {
    /// What is kept here.
    package typealias Destination = SharedDestination<Files, Journals, Upload>

    private struct Known {
        weak let destination: Destination?
        /// Left when the destination has closed its files.
        let closing: DispatchGroup
    }

    private let known = Mutex<[ExactText: Known]>([:])
    private let wait: @Sendable (DispatchGroup) -> Void

    /// Creates a room without destinations.
    package convenience init() {
        self.init(wait: { $0.wait() })
    }

    /// Creates a room without destinations.
    ///
    /// - Parameter wait: Waits for the end of a destination; a test lets the end come then.
    package init(wait: @escaping @Sendable (DispatchGroup) -> Void) {
        self.wait = wait
    }

    /// Finds the destination of a folder, or makes one.
    ///
    /// The first one that opens a folder decides how much is kept and who is notified.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - key: What new events are to be encrypted with: events in the clear, or under a key that a realm did not choose, would
    ///     be no small matter.
    ///   - open: Opens files, journals and upload of the folder; called by the first one alone, who has the key.
    /// - Returns: The one that is there, or a new one when nobody uses the folder.
    /// - Throws: `EventModelError.invalidParameter` when the folder is open with another key; what `open` throws.
    package func destination(
        at path: String,
        key: EventEncryptionKey?,
        opening open: () throws -> Destination.Parts
    ) throws -> Destination {
        forgetClosed()
        let folder = ExactText(path)
        // One that is ending on another thread is about to close the files.
        if let ending = known.withLock({ $0[folder] }), ending.destination == nil { wait(ending.closing) }
        let (destination, isNew) = try known.withLock { known in
            if let destination = known[folder]?.destination { return (destination, false) }
            let destination = try Destination(open(), at: path)
            known[folder] = Known(destination: destination, closing: destination.closing)
            return (destination, true)
        }
        if !isNew { try destination.files.requireKey(key) }
        return destination
    }

    /// Forgets the folders that nobody uses any more, once their files are free.
    private func forgetClosed() {
        // Kept until the lock is given back: the last reference to a destination must not go while it is held.
        let alive = known.withLock { known in
            let alive = known.compactMapValues(\.destination)
            known = known.filter { alive[$0.key] != nil || $0.value.closing.wait(timeout: .now()) == .timedOut }
            return alive
        }
        withExtendedLifetime(alive) {}
    }

    /// How many folders are remembered: those in use, and those that were since the last one was opened.
    package var rememberedFolderCount: Int { known.withLock(\.count) }
}
