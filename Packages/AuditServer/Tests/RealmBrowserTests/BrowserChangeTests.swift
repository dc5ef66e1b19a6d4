import EventModel
import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import RealmWindow
import Testing

@testable import RealmBrowser

@Suite("Browsing beside a program that writes")
struct BrowserChangeTests {
    private static func state(_ answer: BrowserClient.Answer) throws -> String {
        try #require(try answer.json["state"] as? String)
    }

    /// Asks until the state is settled, so that only a change ends the next wait.
    private static func settled(_ client: BrowserClient) async throws -> String {
        var state = ""
        repeat {
            state = try Self.state(try await client.ask("changes", ["since": state]))
        } while state.hasSuffix("~")
        return state
    }

    @Test("a commit of another instance ends the wait, and is in the next answer")
    func change() async throws {
        let file = try BrowsedFile()
        try await file.serve { client in
            let before = try await Self.settled(client)
            #expect(try Self.state(try await client.ask("classes")) == before)
            async let after = client.ask("changes", ["since": before])
            try await file.file.inSecondInstance { realm in
                try realm.write { realm.add(Person.numbered(1000)) }
            }

            #expect(try Self.state(try await after) != before)
            let table = try await client.ask("objects", ["class": "Person"])
            #expect(try table.json["total"] as? Int == 251)
        }
    }

    @Test("between two questions a program may migrate its file and compact it")
    func migration() async throws {
        let file = try BrowsedFile()
        try await file.serve { client in
            #expect(try await client.ask("classes").status == 200)
            try await file.migrate(to: 9)

            #expect(try await client.ask("classes").json["schemaVersion"] as? String == "9")
        }
    }

    @Test("a file that is replaced is shown as the new one, and one that is gone is said to be")
    func replaced() async throws {
        let file = try BrowsedFile()
        try await file.serve { client in
            let before = try await Self.settled(client)
            for name in try FileManager.default.contentsOfDirectory(atPath: file.file.folder.path) {
                try FileManager.default.removeItem(at: file.file.folder.appendingPathComponent(name))
            }
            let gone = try await client.ask("classes")
            #expect(try gone.status == 400 && gone.message?.hasPrefix("There is no file ") == true)

            try await file.file.inSecondInstance { realm in try realm.write { realm.add(Person.numbered(7)) } }
            #expect(try await client.ask("objects", ["class": "Person"]).json["total"] as? Int == 1)
            #expect(try Self.state(try await client.ask("classes")) != before)
        }
    }

    @Test("those who wait are bounded, and whoever goes makes place for another one")
    func waits() async throws {
        let file = try BrowsedFile(people: 1)
        let (gate, opened) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        // By a clock that is far away, nothing was written just now.
        let waiting = ChangeWait(
            state: FileState(path: file.url.path, clock: ManualClock()),
            pause: {
                arrived.yield()
                for await _ in gate {}
                throw CancellationError()
            }
        )
        let state = waiting.state.text()
        try await withThrowingTaskGroup(of: Void.self) { group in
            var here = arrivals.makeAsyncIterator()
            for _ in 0..<ChangeWait.maximumWaiting {
                group.addTask {
                    do {
                        _ = try await waiting.change(since: state)
                    } catch is CancellationError {}
                }
                _ = await here.next()
            }
            await #expect(throws: RealmBrowserError.busy) { try await waiting.change(since: state) }
            opened.finish()
            try await group.waitForAll()
        }
        #expect(try await waiting.change(since: "another") != "another")
    }

    @Test("questions that wait for their turn are bounded, and the rest is refused at once")
    func turns() async throws {
        let file = try BrowsedFile(people: 1)
        let reader = FileReader(file.url, key: nil)
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            // One more than there are places: whichever comes last is refused, and only then may the others go on.
            for _ in 0...FileReader.maximumWaiting {
                group.addTask {
                    do {
                        try await reader.read { _ in gate.wait() }
                        return true
                    } catch RealmBrowserError.busy {
                        for _ in 0..<FileReader.maximumWaiting { gate.signal() }
                        return false
                    }
                }
            }
            var answered = 0
            for try await isAnswered in group where isAnswered { answered += 1 }
            #expect(answered == FileReader.maximumWaiting)
        }
        let count = try await reader.read { window in try window.classes().count }
        #expect(count == Sample.types.count)
    }

    @Test("a state that is new ends differently until it is settled, so that one looks once more")
    func states() throws {
        let file = try BrowsedFile(people: 1)
        let settled = FileState(path: file.url.path, clock: ManualClock())
        let first = settled.text()
        let realm = try file.file.open()
        try realm.write { realm.add(Person.numbered(10)) }
        let second = settled.text()
        #expect(first != second && !second.hasSuffix("~"))
        let written = try #require(
            try FileManager.default.attributesOfItem(atPath: file.url.path + "-wal")[.modificationDate] as? Date
        )
        let then = EventInstant(microseconds: Int64(written.timeIntervalSince1970 * 1_000_000))
        let now = ManualClock(start: then)
        #expect(FileState(path: file.url.path, clock: now).text() == second + "~")
        #expect(FileState(path: file.url.path + "none", clock: ManualClock()).text() == "-_-_-")
    }
}

extension BrowsedFile {
    /// Opens the file as the next version of a program would.
    func migrate(to version: UInt64) async throws {
        var configuration = file.configuration
        configuration.schemaVersion = version
        configuration.shouldCompactOnLaunch = { _, _ in true }
        let changed = configuration
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, any Error>, Never>) in
            Thread { continuation.resume(returning: Result { _ = try Realm(configuration: changed) }) }.start()
        }
        try result.get()
    }
}
