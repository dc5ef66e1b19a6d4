import Dispatch
import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Notices that another process committed to a file, without polling.
///
/// A commit becomes visible only after its last byte is in the log, so that watching the writes would look too early.
/// Every writer therefore writes a byte to the realm's lock file once its commit is visible: see ``FileUse/touch()``.
final class FileWatcher: @unchecked Sendable {
    // SAFETY: a dispatch source may be cancelled on any thread.
    private let source: any DispatchSourceProtocol

    /// Begins to watch; fails when the system cannot, so that only this process's commits are noticed.
    ///
    /// - Parameters:
    ///   - path: The realm file, which this process uses, so that its lock file exists.
    ///   - didChange: Called on a queue of the watcher's after each commit of any process; several may be one call.
    init?(_ path: String, _ didChange: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "realm.watcher")
        #if canImport(Darwin)
        // The lock belongs to the descriptor that took it, so that closing this one gives none back.
        let descriptor = open(FileUse.path(of: path), O_EVTONLY)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor,
            eventMask: [.write],
            queue: queue
        )
        source.setEventHandler(handler: didChange)
        #else
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        guard inotify_add_watch(descriptor, FileUse.path(of: path), UInt32(IN_MODIFY)) >= 0 else {
            close(descriptor)
            return nil
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 4096)
            var isChanged = false
            while read(descriptor, &buffer, buffer.count) > 0 { isChanged = true }
            if isChanged { didChange() }
        }
        #endif
        source.setCancelHandler { close(descriptor) }
        source.activate()
        self.source = source
    }

    /// Ends the watch.
    func stop() { source.cancel() }

    deinit {
        source.cancel()
    }
}
