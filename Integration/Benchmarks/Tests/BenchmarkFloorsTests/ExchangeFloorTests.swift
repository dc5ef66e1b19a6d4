import BenchmarkFloors
import Foundation
import Testing

@Suite("Floors of the exchange")
struct ExchangeFloorTests {
    @Test("changes are taken in transactions, also more of them than there are objects")
    func changes() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-floors-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let changes = try RawChanges(
            path: folder.appending(path: "changes.sqlite").path,
            objects: 10,
            sizes: RawChanges.Sizes(entry: 100, upload: 50, cells: 2)
        )

        try changes.take(25)

        #expect(throws: Never.self) { try changes.take(25) }
        #expect(throws: Never.self) { try changes.forget(step: 7) }
        // What is gone is there again under other numbers alone.
        #expect(throws: Never.self) { try changes.take(25) }
        #expect(throws: RawDatabaseError.self) {
            try RawChanges(
                path: "/nowhere/changes.sqlite",
                objects: 1,
                sizes: RawChanges.Sizes(entry: 1, upload: 1, cells: 1)
            )
        }
    }

    @Test("a crowd hears every answer once, with its status, and not those that nobody waits for")
    func crowd() throws {
        let server = try DiscardingServer { request, _ in Array(request.utf8) }
        let crowd = LoopbackCrowd(port: server.port)
        for _ in 0..<5 { try crowd.join() }

        for member in 0..<5 { try crowd.send("GET", "/\(member)", token: "t", headers: ["a": "b"], from: member) }
        let some = try crowd.receive(2, from: [1, 3])
        let others = try crowd.receive(3, from: [0, 2, 4])

        #expect(Set(some.map(\.member)) == [1, 3])
        #expect(Set(others.map(\.member)) == [0, 2, 4])
        #expect((some + others).allSatisfy { $0.status == 200 })
        #expect(crowd.count == 5)
    }

    @Test("every reader has an answer of the size that was asked for, time after time")
    func fanOut() throws {
        let fanOut = try RawFanOut(readers: 20)

        for _ in 0..<3 {
            let times = try fanOut.measure(answerBytes: 300)
            #expect(times.count == 20)
            #expect(times == times.sorted())
            #expect(times.allSatisfy { $0 > 0 })
        }
    }
}
