import Dispatch
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Asynchronous writes")
struct AsyncWriteTests {
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm() }

    /// A thread that holds the write lock until it is told to let go.
    private final class Holder: Sendable {
        private let mayEnd = DispatchSemaphore(value: 0)
        private let hasEnded = DispatchSemaphore(value: 0)

        init(_ file: TemporaryRealm) throws {
            let holds = DispatchSemaphore(value: 0)
            Thread { [self] in
                do {
                    let realm = try file.open()
                    try realm.write { realm in
                        holds.signal()
                        mayEnd.wait()
                        realm.add(Person.numbered(-1))
                    }
                } catch {
                    fatalError("\(error)")
                }
                hasEnded.signal()
            }
            .start()
            holds.wait()
        }

        func end() {
            mayEnd.signal()
            hasEnded.wait()
        }
    }

    private func endOfTurn() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    // MARK: Blocks

    @Test("T10: writeAsync returns at once, runs in the same place, in the order of the calls, and tells how it ended")
    @MainActor
    func order() async throws {
        let realm = try file.open()
        let holder = try Holder(file)
        var events: [String] = []

        await withCheckedContinuation { continuation in
            for number in 1...3 {
                realm.writeAsync {
                    events.append("write \(number)")
                    realm.add(Person.numbered(number))
                    MainActor.assertIsolated()
                } onComplete: { error in
                    events.append("end \(number)")
                    #expect(error == nil)
                    if number == 3 { continuation.resume() }
                }
            }
            #expect(events == [])
            #expect(realm.isPerformingAsynchronousWriteOperations)
            holder.end()
        }

        #expect(events.filter { $0.hasPrefix("write") } == ["write 1", "write 2", "write 3"])
        #expect(events.filter { $0.hasPrefix("end") } == ["end 1", "end 2", "end 3"])
        #expect(realm.objects(Person.self).count == 4)
        #expect(!realm.isPerformingAsynchronousWriteOperations)
    }

    @Test("T10: a data error in the block is told, and nothing of it stays")
    @MainActor
    func dataError() async throws {
        let realm = try file.open()
        try realm.write { realm.add(Person.numbered(1)) }

        let error = await withCheckedContinuation { continuation in
            realm.writeAsync {
                realm.add(Person.numbered(2))
                realm.add(Person.numbered(1))
            } onComplete: {
                continuation.resume(returning: $0 as? Realm.Error)
            }
        }

        #expect(error?.code == .objectAlreadyExists)
        #expect(realm.objects(Person.self).count == 1)
    }

    @Test("T10: an asynchronous write may ask for another, which comes after it")
    @MainActor
    func nested() async throws {
        let realm = try file.open()

        await withCheckedContinuation { continuation in
            realm.writeAsync {
                realm.writeAsync {
                    #expect(realm.objects(Person.self).count == 1)
                    realm.add(Person.numbered(2))
                } onComplete: { _ in
                    continuation.resume()
                }
                realm.add(Person.numbered(1))
            }
        }

        #expect(realm.objects(Person.self).count == 2)
    }

    @Test("T10: beginAsyncWrite rolls back what is not committed")
    @MainActor
    func withoutCommit() async throws {
        let realm = try file.open()

        await withCheckedContinuation { continuation in
            realm.beginAsyncWrite { realm.add(Person.numbered(1)) }
            realm.beginAsyncWrite {
                #expect(realm.isEmpty)
                realm.add(Person.numbered(2))
                realm.commitAsyncWrite(allowGrouping: true) { error in
                    #expect(error == nil)
                    continuation.resume()
                }
                #expect(!realm.isInWriteTransaction)
            }
        }

        #expect(realm.objects(Person.self).map(\._id) == [2])
    }

    @Test("T10: a write that is cancelled before it runs does not run, a later cancel drops only the completion")
    @MainActor
    func cancelling() async throws {
        let realm = try file.open()
        let holder = try Holder(file)
        let first = realm.writeAsync {
            Issue.record("it was cancelled")
        } onComplete: { _ in
            Issue.record("cancelled")
        }
        let second = realm.beginAsyncWrite { Issue.record("it was cancelled") }
        try realm.cancelAsyncWrite(first)
        try realm.cancelAsyncWrite(second)
        try realm.cancelAsyncWrite(4711)
        #expect(!realm.isPerformingAsynchronousWriteOperations)
        holder.end()

        realm.refresh()
        realm.beginWrite()
        realm.add(Person.numbered(1))
        let commit = realm.commitAsyncWrite { _ in Issue.record("the completion was dropped") }
        try realm.cancelAsyncWrite(commit)
        await endOfTurn()

        #expect(realm.objects(Person.self).count == 2)
    }

    @Test("a synchronous write goes first instead of waiting for an asynchronous one of its own place")
    @MainActor
    func synchronousBetween() async throws {
        let realm = try file.open()
        var events: [Int] = []

        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            realm.writeAsync {
                events.append(2)
                realm.add(Person.numbered(2))
            } onComplete: { _ in
                continuation.resume()
            }
            do {
                // The lock was granted to the asynchronous write by now, which needs this thread to run.
                try realm.write {
                    events.append(1)
                    realm.add(Person.numbered(1))
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }

        #expect(events == [1, 2])
        #expect(realm.objects(Person.self).count == 2)
    }

    @Test("T10: the realm of a queue writes asynchronously on its queue")
    func queue() async throws {
        let queue = DispatchQueue(label: "tests.async")
        let file = file

        let count = try await withCheckedThrowingContinuation { continuation in
            queue.async {
                do {
                    let realm = try Realm(configuration: file.configuration, queue: queue)
                    realm.writeAsync {
                        dispatchPrecondition(condition: .onQueue(queue))
                        realm.add(Person.numbered(1))
                    } onComplete: { _ in
                        dispatchPrecondition(condition: .onQueue(queue))
                        continuation.resume(returning: realm.objects(Person.self).count)
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }

        #expect(count == 1)
    }

    @Test("an asynchronous write on a plain thread ends the process with a sentence")
    func plainThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let thread = Thread {
                if let realm = try? file.open() { realm.writeAsync {} }
            }
            thread.start()
            // Ended by the trap.
            DispatchSemaphore(value: 0).wait()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("nothing can be run there later; use 'write'"))
    }

    // MARK: Tasks

    @Test("T11: asyncWrite lets its actor do other things while another thread writes")
    @MainActor
    func notBlocking() async throws {
        let realm = try await Realm(configuration: file.configuration)
        let holder = try Holder(file)
        // Runs when the write suspends, and never if the write blocks its actor instead.
        let other = Task {
            #expect(realm.isPerformingAsynchronousWriteOperations)
            #expect(!realm.isInWriteTransaction)
            holder.end()
        }

        let count = try await realm.asyncWrite { realm in
            realm.add(Person.numbered(1))
            return realm.objects(Person.self).count
        }

        await other.value
        #expect(count == 2)
        #expect(!realm.isPerformingAsynchronousWriteOperations)
    }

    @Test("T11: a task that is cancelled writes nothing and throws CancellationError")
    @MainActor
    func cancelledTask() async throws {
        let realm = try await Realm(configuration: file.configuration)
        let holder = try Holder(file)
        let waiting = Task { try await realm.asyncWrite { realm.add(Person.numbered(1)) } }
        await endOfTurn()
        #expect(realm.isPerformingAsynchronousWriteOperations)

        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(!realm.isPerformingAsynchronousWriteOperations)
        holder.end()
        try await realm.asyncWrite { realm.add(Person.numbered(2)) }
        #expect(realm.objects(Person.self).sorted(byKeyPath: "_id").map(\._id) == [-1, 2])
    }

    @Test("a block that throws rolls back, a data error too")
    @MainActor
    func throwing() async throws {
        struct Failure: Error {}
        let realm = try await Realm(configuration: file.configuration)

        await #expect(throws: Failure.self) {
            try await realm.asyncWrite {
                realm.add(Person.numbered(1))
                throw Failure()
            }
        }
        await #expect(throws: Realm.Error.self) {
            try await realm.asyncWrite { realm.add([Person.numbered(1), Person.numbered(1)]) }
        }

        #expect(realm.isEmpty)
    }

    @Test("many tasks of one actor write one after the other, beside threads that write")
    @MainActor
    func manyTasks() async throws {
        let realm = try await Realm(configuration: file.configuration)
        try await realm.asyncWrite { realm.create(Counter.self, value: ["name": "all"]) }
        let file = file
        let counted = try #require(realm.objects(Counter.self).first)

        let tasks = (0..<20).map { _ in Task { try await realm.asyncWrite { counted.value += 1 } } }
        let thread = Task.detached {
            let realm = try file.openSynchronously()
            for _ in 0..<20 {
                try realm.write { realm in realm.objects(Counter.self).first?.value += 1 }
            }
        }
        for task in tasks { try await task.value }
        try await thread.value

        await realm.asyncRefresh()
        #expect(counted.value == 40)
    }

    @Test("asyncOpen hands the realm to its queue")
    func asyncOpen() async throws {
        let queue = DispatchQueue(label: "tests.open")
        let count = try await withCheckedThrowingContinuation { continuation in
            Realm.asyncOpen(configuration: file.configuration, callbackQueue: queue) { result in
                continuation.resume(with: result.map { $0.objects(Person.self).count })
            }
        }
        #expect(count == 0)

        let error = await withCheckedContinuation { continuation in
            var configuration = Realm.Configuration(fileURL: file.folder.appendingPathComponent("none.realm"))
            configuration.readOnly = true
            Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
                continuation.resume(returning: result.failure as? Realm.Error)
            }
        }
        #expect(error?.code == .fileNotFound)
    }
}

extension TemporaryRealm {
    fileprivate func openSynchronously() throws -> Realm { try open() }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
