import BenchmarkFloors
import Foundation
import Testing

@Suite("Floors")
struct FloorTests {
    private func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-floors-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        try body(folder)
    }

    @Test("people that were inserted are read, looked up, counted and renamed")
    func people() throws {
        try withTemporaryFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)

            try people.insert(SamplePerson.people(count: 1000))

            let sum = (0..<1000).reduce(0) { $0 + people.read(key: $1) }
            #expect(people.readAll() == sum)
            try people.reading { #expect(people.readAll() == sum) }
            #expect(people.read(key: 1000) == 0)
            let expected = (0..<1000).count { SamplePerson($0).score >= 90 }
            #expect(try people.count(scoreAtLeast: 90) == expected)
            try people.rename(key: 5, to: "A much longer name than before")
            #expect(people.readAll() > sum)
        }
    }

    @Test("a question is asked again with other values, and reads numbers, texts or whole people")
    func questions() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "people.sqlite").path
            let people = try RawPeople(path: path, indexesEmployeeId: true)
            try people.insert(SamplePerson.people(count: 1000))

            let count = try people.query("SELECT count(*) FROM person WHERE score >= ? AND employeeId < ?")
            let numbers = try people.query("SELECT _id FROM person WHERE name = ?")
            let texts = try people.query("SELECT name FROM person WHERE _id < ?")

            #expect(count.number(.real(90), .int(2_000_000)) == 100)
            #expect(count.number(.real(80), .int(2_000_000)) == 200)
            #expect(numbers.sumOfFirstColumn(.text("Person 7")) == 7)
            #expect(texts.bytesOfFirstColumn(.int(11)) == 10 * 8 + 9)
            #expect(try people.query("SELECT * FROM person").sumOfPeople() == people.readAll())
            #expect(throws: RawDatabaseError.self) { try people.query("SELECT nothing FROM nowhere") }
        }
    }

    @Test("events are inserted in transactions, also several of them")
    func events() throws {
        try withTemporaryFolder { folder in
            let events = try RawEvents(path: folder.appending(path: "events.sqlite").path)

            try events.insert(["{}", "[]"])

            #expect(throws: Never.self) { try events.insert(["{}"]) }
        }
    }

    @Test("numbers of a list are inserted, removed and read in the order of their keys")
    func list() throws {
        try withTemporaryFolder { folder in
            for isIndexed in [false, true] {
                let list = try RawList(
                    path: folder.appending(path: "list-\(isIndexed).sqlite").path,
                    isIndexed: isIndexed
                )

                try list.writing { for number in 1...3 { try list.insert(number, at: number * 10) } }
                try list.writing { try list.remove(at: 20) }

                #expect(list.readAll() == 10 + 1 + 30 + 3)
            }
        }
    }

    @Test("scores of all people are set, and all of them are deleted")
    func scores() throws {
        try withTemporaryFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            try people.insert(SamplePerson.people(count: 100))

            try people.setScores(to: 95)

            #expect(try people.count(scoreAtLeast: 95) == 100)
            try people.deleteAll()
            #expect(people.readAll() == 0)
        }
    }

    @Test("a count with an index is the same as without")
    func index() throws {
        try withTemporaryFolder { folder in
            let indexed = try RawPeople(path: folder.appending(path: "indexed.sqlite").path, indexesScore: true)

            try indexed.insert(SamplePerson.people(count: 1000))

            #expect(try indexed.count(scoreAtLeast: 90) == 100)
        }
    }

    @Test("what is appended to the log is in its file")
    func log() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "log")
            let log = try RawLog(path: file.path)

            try log.append([1, 2])
            try log.append([3])

            #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
        }
    }

    @Test("a place that does not exist is refused with a sentence")
    func refusal() throws {
        #expect(throws: RawDatabaseError.self) { try RawPeople(path: "/nowhere/people.sqlite") }
        let error = #expect(throws: RawLogError.self) { try RawLog(path: "/nowhere/log") }
        #expect(error?.description == "The system could not make a file; its error number is 2.")
    }
}
