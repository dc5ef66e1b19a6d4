import Dispatch
import EventDestinations
import EventModel
import EventModelTesting
import Synchronization
import Testing

@Suite("Who shares a destination, and who waits for whose end")
struct OpenDestinationsTests {
    private let destinations = Destinations()

    @Test("whoever opens a folder that is open shares what is there, and opens nothing")
    func shared() throws {
        let first = try destinations.destination(at: "/ward", key: nil) { .sample() }
        let second = try destinations.destination(at: "/ward", key: nil) {
            Issue.record("The folder was opened a second time.")
            return .sample()
        }

        #expect(first === second)
    }

    @Test("two folders have a destination each, also when their names differ in bytes alone")
    func folders() throws {
        let composed = try destinations.destination(at: "/caf\u{E9}", key: nil) { .sample() }
        let decomposed = try destinations.destination(at: "/cafe\u{301}", key: nil) { .sample() }

        #expect(composed !== decomposed)
    }

    @Test("a realm that asks for another key is refused, and the first one goes on")
    func otherKey() throws {
        let key = EventEncryptionKey.random()
        let first = try destinations.destination(at: "/ward", key: key) {
            .sample(files: FakeEventFiles(encryptionKey: key))
        }

        for other in [EventEncryptionKey.random(), nil] {
            #expect(throws: EventModelError.self) {
                try destinations.destination(at: "/ward", key: other) { .sample() }
            }
        }
        #expect(try destinations.destination(at: "/ward", key: key) { .sample() } === first)
        _ = try first.append([.sample()])
    }

    @Test("a folder that cannot be opened leaves nothing behind, and is opened by the next one")
    func failure() throws {
        #expect(throws: FakeEventFiles.Closed.self) {
            try destinations.destination(at: "/ward", key: nil) { throw FakeEventFiles.Closed() }
        }
        #expect(destinations.rememberedFolderCount == 0)

        _ = try destinations.destination(at: "/ward", key: nil) { .sample() }
    }

    @Test("folders that nobody uses any more are forgotten when the next one is opened")
    func forgotten() throws {
        for number in 0..<60 {
            _ = try destinations.destination(at: "/ward \(number)", key: nil) { .sample() }
        }
        let kept = try destinations.destination(at: "/ward", key: nil) { .sample() }
        _ = try destinations.destination(at: "/other", key: nil) { .sample() }

        #expect(destinations.rememberedFolderCount == 2)
        withExtendedLifetime(kept) {}
    }

    @Test("whoever opens a folder that is ending on another thread waits until its files are closed")
    func waitsForTheEnd() throws {
        let order = Mutex<[String]>([])
        let (isClosing, mayClose, hasClosed) = (Gate(), Gate(), Gate())
        let destinations = Destinations(wait: { ending in
            mayClose.open()
            ending.wait()
        })
        let files = FakeEventFiles(onClose: {
            isClosing.open()
            mayClose.wait()
            order.withLock { $0.append("closed") }
        })
        let last = Mutex<Destination?>(
            try destinations.destination(at: "/ward", key: nil) { .sample(files: files, uploader: FakeEventUploader()) }
        )

        DispatchQueue.global()
            .async {
                // Its end comes outside of the lock, as does that of a realm's last instance.
                var destination = last.withLock { last in
                    defer { last = nil }
                    return last
                }
                destination = nil
                withExtendedLifetime(destination) {}
                hasClosed.open()
            }
        isClosing.wait()
        let next = try destinations.destination(at: "/ward", key: nil) {
            order.withLock { $0.append("opened") }
            return .sample()
        }
        // Only without the wait is it still shut, and the order wrong.
        mayClose.open()
        hasClosed.wait()

        #expect(order.withLock(\.self) == ["closed", "opened"])
        #expect(next.files !== files)
    }
}

/// Lets threads through once it was opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}
