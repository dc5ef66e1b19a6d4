import ChangeModel
import EventModel
import EventModelTesting
import Testing

@Suite("Cells by the names of properties")
struct CellsTests {
    private typealias Cells = ChangeOperation.Cells

    @Test("are a dictionary that is in order, whatever is done to them", arguments: UInt64(1)...50)
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var cells = Cells()
        var model: [ExactText: CellValue] = [:]
        for step in 0..<200 {
            let name = ExactText("p\(Int.random(in: 0..<24, using: &random))")
            let value: CellValue? = Int.random(in: 0..<4, using: &random) == 0 ? nil : .int(Int64(step))
            cells[name] = value
            model[name] = value
            #expect(cells[name] == value)
        }
        let expected = model.sorted { $0.key < $1.key }
        #expect(cells.elementsEqual(expected) { $0.key == $1.key && $0.value == $1.value })
        #expect(Array(cells.keys) == expected.map(\.key))
        #expect(Array(cells.values) == expected.map(\.value))
        let shuffled = model.map { (key: $0.key, value: $0.value) }.shuffled(using: &random)
        #expect(Cells(shuffled) == cells)
        #expect(Cells(shuffled)?.hashValue == cells.hashValue)
        let some = cells.only { $0.value != expected.first?.value }
        #expect(some.count == cells.count - 1)
        #expect(some.updated(with: cells) == cells)
        #expect(some != cells)
    }

    @Test("are none when a name is there twice, also where it stands apart")
    func twice() {
        #expect(Cells([("a", 1), ("a", 1)]) == nil)
        #expect(Cells([("b", 1), ("a", 1), ("c", 2), ("b", 1)]) == nil)
        #expect(Cells([("b", 1), ("a", 1)]) == ["a": 1, "b": 1])
        #expect(Cells([]) == [:])
    }

    @Test("tell names apart that Unicode takes for equal, and order them by their bytes")
    func bytes() {
        let cells: Cells = ["\u{E9}": 1, "e\u{301}": 2, "z": 3]
        #expect(cells.map(\.key.string.utf8.count) == [3, 1, 2])
        #expect(cells["\u{E9}"] == 1)
        #expect(cells["e\u{301}"] == 2)
        #expect(cells["e"] == nil)
    }

    @Test("say the last value of a literal, and of what is put over them")
    func last() {
        #expect((["a": 1, "b": 2] as Cells).updated(with: ["b": 3, "c": 4]) == ["a": 1, "b": 3, "c": 4])
        let twice: Cells = ["a": 1, "a": 2]
        #expect(twice == ["a": 2])
    }

    @Test("are read in any order, and refused when a name is there twice")
    func reading() throws {
        func page(_ names: [UInt8]) throws -> SnapshotPage {
            let table: [UInt8] = [3, 1, 0x50, 1, 0x61, 1, 0x62]
            let cells = [UInt8(names.count)] + names.flatMap { [$0, 1] as [UInt8] }
            let object: [UInt8] = [0, 0, 1, 1, 1] + cells + [0]
            return try SnapshotPage(bytes: Array("DAYPAGE1".utf8) + [1] + table + [1] + object + [0])
        }
        let expected = ChangeOperation.Action.create(given: ["a": false, "b": false], defaults: [:])
        #expect(try page([1, 2]).objects.first?.actions == [expected])
        #expect(try page([2, 1]).objects.first?.actions == [expected])
        #expect(throws: ChangeModelError.self) { try page([2, 1, 2]) }
    }
}
