import BenchmarkHarness
import Daybook
import Foundation
import Synchronization

/// A thread that reads a realm over and over, and knows how long it had to wait at most.
final class PausedReader: Sendable {
    private let folder: URL
    private let keys: Int
    private let isStopped = Atomic<Bool>(false)
    private let outcome = Mutex<Result<Double, any Error>>(.success(0))
    private let isReading = DispatchSemaphore(value: 0)
    private let isOver = DispatchSemaphore(value: 0)

    /// Prepares the thread.
    ///
    /// - Parameters:
    ///   - folder: The folder of the realm.
    ///   - keys: How many keys there are to look up.
    init(folder: URL, keys: Int) {
        self.folder = folder
        self.keys = keys
    }

    /// Starts to read, and returns when the realm is open.
    func start() {
        Thread { [self] in
            let result = Result { try read() }
            outcome.withLock { $0 = result }
            isReading.signal()
            isOver.signal()
        }
        .start()
        isReading.wait()
    }

    /// Ends the thread; to be called once.
    ///
    /// - Returns: The longest step in milliseconds.
    /// - Throws: What opening the realm throws.
    func stop() throws -> Double {
        isStopped.store(true, ordering: .releasing)
        isOver.wait()
        return try outcome.withLock { try $0.get() }
    }

    private func read() throws -> Double {
        let realm = try openRealm(in: folder)
        var longest = 0.0
        var key = 0
        isReading.signal()
        while !isStopped.load(ordering: .acquiring) {
            let time = nanoseconds {
                realm.refresh()
                blackHole(realm.object(ofType: Person.self, forPrimaryKey: key)?.score)
            }
            longest = max(longest, time)
            // A prime that divides no count of keys here, so that each comes.
            key = (key + 7919) % keys
        }
        return longest / 1_000_000
    }
}
