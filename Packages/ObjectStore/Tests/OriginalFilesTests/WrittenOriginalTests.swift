import Foundation
import ObjectStoreTesting
import Testing

@testable import OriginalFiles

@Suite("Forms of files of the original that no golden file has")
struct WrittenOriginalTests {
    private func dump(_ bytes: [UInt8]) throws -> [String] {
        try OriginalDump(file: OriginalFile(bytes: bytes)).lines().filter { $0.contains("\"values\"") }
    }

    @Test("lists of objects of formats before 24 are lists of links")
    func linkList() throws {
        var writer = OriginalWriter(format: 22)
        let list = writer.ints([1, 0, 1, -5])
        let lists = writer.refs([list, 0])

        let bytes = writer.finish("Old", [.init(name: "others", type: 13, values: lists)], count: 2)

        #expect(
            try dump(bytes) == [
                #"{"table":"class_Old","key":0,"values":{"others":[{"l":["class_Old",1]},{"l":["class_Old",0]},{"l":["class_Old",1]}]}}"#,
                #"{"table":"class_Old","key":1,"values":{"others":[]}}"#,
            ]
        )
    }

    @Test("dictionaries of formats before 23 are stored like objects", arguments: [21, 22])
    func dictionary(format: UInt8) throws {
        var writer = OriginalWriter(format: format)
        let keys = writer.texts(["b", "a"])
        let codes = writer.ints([1 | 7 << 8, 0])
        let values = writer.refs([codes, 0, 0, 0])
        let dictionary = writer.refs([OriginalWriter.tagged(2), keys, values])
        let dictionaries = writer.refs([dictionary])
        let column = OriginalWriter.Column(name: "map", type: 2 << 16, attributes: 64 | 16, values: dictionaries)

        let bytes = writer.finish("Old", [column], count: 1)

        #expect(
            try dump(bytes) == [#"{"table":"class_Old","key":0,"values":{"map":{"dict":[["a",null],["b",7]]}}}"#]
        )
    }

    @Test(
        "objects in leaves of 256 below two levels of inner nodes are read in their order",
        arguments: [256, 257, 70_000]
    )
    func innerNodes(count: Int) throws {
        var writer = OriginalWriter()
        let numbers = (0..<count).map { Int64($0) * 3 }
        let leaves = stride(from: 0, to: count, by: 256)
            .map { start in
                let part = Array(numbers[start..<min(start + 256, count)])
                return OriginalWriter.Leaf(count: Int64(part.count), columns: [writer.ints(part)])
            }
        let bytes = writer.finish("Many", [.init(name: "number", type: 0)], leaves)

        let lines = try dump(bytes)

        let expected = numbers.enumerated()
            .map { #"{"table":"class_Many","key":\#($0),"values":{"number":\#($1)}}"# }
        #expect(lines == expected)
    }

    @Test("large bytes are joined of their parts")
    func splitBytes() throws {
        var writer = OriginalWriter()
        let bytes = writer.splitData([[1, 2], [3]])

        let file = writer.finish("Large", [.init(name: "data", type: 4, values: bytes)], count: 1)

        #expect(try dump(file) == [#"{"table":"class_Large","key":0,"values":{"data":{"b":"010203"}}}"#])
    }

    @Test("a hundred lists may lie inside each other, also on a thread with a small stack")
    func deepest() async throws {
        var writer = OriginalWriter()
        let values = writer.nestedLists(100)
        let bytes = writer.finish("Deep", [.init(name: "any", type: 6, attributes: 16, values: values)], count: 1)

        let depth = try await onSmallStack { try nesting(of: bytes) }

        #expect(depth == 100)
    }

    @Test("more than that ends in a sentence", arguments: [102, 5000])
    func tooDeep(count: Int) async throws {
        var writer = OriginalWriter()
        let values = writer.nestedLists(count)
        let bytes = writer.finish("Deep", [.init(name: "any", type: 6, attributes: 16, values: values)], count: 1)

        let result = try await onSmallStack { Result<Int, any Error> { try nesting(of: bytes) } }

        #expect(throws: OriginalFileError.damaged("values lie too deep inside each other")) { try result.get() }
    }

    @Test("a property of a type that is not known is told by its name")
    func unknownType() throws {
        var writer = OriginalWriter()
        let values = writer.ints([1])
        let bytes = writer.finish("Odd", [.init(name: "table", type: 5, values: values)], count: 1)

        let error = #expect(throws: OriginalFileError.self) { _ = try OriginalFile(bytes: bytes) }

        #expect(error?.description.contains("'Odd.table'") ?? false, "\(String(describing: error))")
    }

    /// How many lists lie inside each other in the first value of a file.
    private func nesting(of bytes: [UInt8]) throws -> Int {
        let file = try OriginalFile(bytes: bytes)
        file.beginPass()
        var value = try file.batch(0, of: 0).value(property: 0, at: 0)
        var depth = 0
        while case .list(let elements) = value {
            depth += 1
            guard let first = elements.first else { break }
            value = first
        }
        return depth
    }
}
