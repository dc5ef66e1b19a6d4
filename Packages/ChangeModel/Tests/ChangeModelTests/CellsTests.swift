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
        var shuffled = Cells()
        for (name, value) in model.shuffled(using: &random) { shuffled[name] = value }
        #expect(shuffled == cells)
        #expect(shuffled.hashValue == cells.hashValue)
        let some = cells.only { $0.value != expected.first?.value }
        #expect(some.count == cells.count - 1)
        #expect(some.updated(with: cells) == cells)
        #expect(some != cells)
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

    @Test("are read in any order, from whatever numbers their names have", arguments: UInt64(1)...50)
    func reading(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = (0..<UInt8(Int.random(in: 1...60, using: &random))).shuffled(using: &random)
        // Several objects: what is known of the names of one counts for the next.
        let objects = (0..<4)
            .map { _ in
                let all = Array(names.indices).shuffled(using: &random)
                return Array(all.prefix(Int.random(in: 0...all.count, using: &random)))
            }
        let read = try page(
            names.map { [0x61, $0 + 0x20] },
            objects + objects.map { $0.sorted { names[$0] < names[$1] } }
        )
        let expected = objects.map { object in
            var cells = Cells()
            for index in object { cells[ExactText("a\(Character(UnicodeScalar(names[index] + 0x20)))")] = false }
            return [ChangeOperation.Action.create(given: cells, defaults: [:])]
        }
        #expect(read.objects.map(\.actions) == expected + expected)
    }

    @Test("are refused when a name is there twice, with one number or with two, beside each other or apart")
    func twice() throws {
        let (a, b): ([UInt8], [UInt8]) = ([0x61], [0x62])
        #expect(throws: Never.self) { try page([a, b, a], [[0, 1], [2, 1], [1, 0], [1, 2]]) }
        for object in [[0, 0], [1, 0, 1], [0, 1, 0], [0, 2], [2, 0], [2, 1, 0], [1, 1, 0]] {
            #expect(throws: ChangeModelError.self, "\(object)") { try page([a, b, a], [object]) }
            // Also behind an object that has let the order of names be known.
            #expect(throws: ChangeModelError.self, "\(object)") { try page([a, b, a], [[0, 1], [1, 0], object]) }
        }
    }

    /// A page of objects, each with some of the names, by their indices.
    private func page(_ names: [[UInt8]], _ objects: [[Int]]) throws -> SnapshotPage {
        var bytes = Array("DAYPAGE1".utf8) + [1, UInt8(names.count + 1), 1, 0x50]
        for name in names { bytes += [UInt8(name.count)] + name }
        bytes.append(UInt8(objects.count))
        for (index, object) in objects.enumerated() {
            bytes += [0, 3, UInt8(index), 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, UInt8(object.count)]
            bytes += object.flatMap { [UInt8($0 + 1), 1] as [UInt8] } + [0]
        }
        return try SnapshotPage(bytes: bytes + [0])
    }
}
