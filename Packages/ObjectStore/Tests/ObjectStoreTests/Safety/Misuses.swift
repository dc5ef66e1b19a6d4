#if os(Linux) || os(macOS)
import Dispatch
import Foundation
import Synchronization

@testable import ObjectStore

/// What ends a process, found without ending one: for the process of an exit test, which may be left in any state.
enum Misuses {
    /// Runs a block on a thread of its own.
    ///
    /// - Returns: The sentence that the block would have ended the process with; nil when it returned.
    static func sentence(of block: @escaping @Sendable () -> Void) -> String? {
        let box = Box()
        let isOver = DispatchSemaphore(value: 0)
        Realm.onMisuse = { text in
            box.sentence.withLock { $0 = text }
            isOver.signal()
            // The thread must not go on; it waits for nothing until the process ends.
            while true { pause() }
        }
        Thread {
            block()
            isOver.signal()
        }
        .start()
        isOver.wait()
        return box.sentence.withLock { $0 }
    }

    private final class Box: Sendable {
        let sentence = Mutex<String?>(nil)
    }
}
#endif
