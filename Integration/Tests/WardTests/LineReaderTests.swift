import Foundation
import Testing
import Ward

@Suite("LineReader")
struct LineReaderTests {
    private func lines(_ text: String, limit: Int = 100) throws -> [LineReader.Line] {
        var reader = LineReader(bytes: Array(text.utf8), limit: limit)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test("lines end with a line feed, a carriage return before it is cut, the last may end anywhere")
    func endings() throws {
        #expect(try lines("a\r\n\nb") == [.text(Array("a".utf8)), .text([]), .text(Array("b".utf8))])
        #expect(try lines("a\n") == [.text(Array("a".utf8))])
        #expect(try lines("") == [])
    }

    @Test("a line over the limit is told, and the next one is read")
    func tooLong() throws {
        let long = String(repeating: "x", count: 101)

        #expect(try lines("\(long)\nb\n") == [.tooLong, .text(Array("b".utf8))])
    }

    @Test("a file is read in blocks, whatever the blocks cut through")
    func blocks() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let written = (0..<50_000).map { "line \($0) é" }
        try written.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)

        var reader = try LineReader(url: url)
        var read: [String] = []
        while case .text(let bytes)? = try reader.next() { read.append(String(decoding: bytes, as: UTF8.self)) }

        #expect(read == written)
    }
}
