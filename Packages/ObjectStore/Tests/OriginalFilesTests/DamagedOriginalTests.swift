import Testing

@testable import OriginalFiles

@Suite("Damaged files of the original")
struct DamagedOriginalTests {
    /// Reads all of a file; true when it was read, false when it ended in a sentence.
    private func isRead(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try OriginalDump(file: OriginalFile(bytes: bytes)).lines()
            return true
        } catch let error as OriginalFileError {
            #expect(error.description.hasSuffix("."))
            return false
        } catch {
            Issue.record("Another error: \(error)")
            return false
        }
    }

    @Test("each byte of a small file may be any other one")
    func everyByte() throws {
        let whole = try GoldenOriginal.tiny.bytes
        var refused = 0
        for position in whole.indices {
            for change: UInt8 in 1...255 {
                var bytes = whole
                bytes[position] ^= change
                if !isRead(bytes) { refused += 1 }
            }
        }

        #expect(refused > whole.count * 32)
    }

    @Test("a file may end anywhere", arguments: [GoldenOriginal.tiny, .streaming, .links])
    func cuts(golden: GoldenOriginal) throws {
        let whole = try golden.bytes
        let step = whole.count > 10_000 ? 64 : 8

        for count in stride(from: 0, to: whole.count, by: step) {
            _ = isRead(Array(whole[..<count]))
        }
        // A copy that ends too early has no end mark.
        if golden != .links { #expect(!isRead(Array(whole.dropLast(8)))) }
    }

    @Test("a single bit may be wrong anywhere", arguments: GoldenOriginal.allCases)
    func bits(golden: GoldenOriginal) throws {
        let seed: UInt64 = 0x5EED_0001
        var random = Steps(seed)
        var bytes = try golden.bytes
        let rounds = 200_000_000 / (bytes.count * 40 + 400_000)
        for _ in 0..<rounds {
            let (position, bit) = (Int(random.next() % UInt64(bytes.count)), UInt8(1) << (random.next() % 8))
            bytes[position] ^= bit
            _ = isRead(bytes)
            bytes[position] ^= bit
        }
    }

    @Test("words may be swapped, so that nodes name each other in circles", arguments: GoldenOriginal.allCases)
    func swaps(golden: GoldenOriginal) throws {
        let seed: UInt64 = 0x5EED_0002
        var random = Steps(seed)
        let whole = try golden.bytes
        let words = whole.count / 8
        let rounds = 200_000_000 / (whole.count * 40 + 400_000)
        for _ in 0..<rounds {
            var bytes = whole
            for _ in 0..<(1 + random.next() % 6) {
                let (left, right) = (8 * Int(random.next() % UInt64(words)), 8 * Int(random.next() % UInt64(words)))
                for index in 0..<8 { bytes.swapAt(left + index, right + index) }
            }
            _ = isRead(bytes)
        }
    }

    @Test("each ref may name any other node, also one around itself")
    func circles() throws {
        let whole = try GoldenOriginal.tiny.bytes
        var refused = 0
        for position in stride(from: 24, to: whole.count - 1, by: 2) {
            for target in stride(from: 0, to: whole.count + 8, by: 8) {
                var bytes = whole
                bytes[position] = UInt8(truncatingIfNeeded: target)
                bytes[position + 1] = UInt8(truncatingIfNeeded: target >> 8)
                if !isRead(bytes) { refused += 1 }
            }
        }

        #expect(refused > 1000)
    }

    @Test("a tree whose child is itself ends in a sentence")
    func ownChild() throws {
        var bytes = try GoldenOriginal.tiny.bytes
        // The list of tags at 0x178 becomes an inner node of 16-bit numbers whose child is itself.
        let node: [UInt8] = [0x41, 0x41, 0x41, 0x41, 0xC5, 0, 0, 3, 3, 0, 0x78, 1, 3, 0, 0, 0]
        bytes.replaceSubrange(0x178..<0x188, with: node)
        let file = try OriginalFile(bytes: bytes)

        #expect(throws: OriginalFileError.damaged("two places share a node")) {
            _ = try OriginalDump(file: file).lines()
        }
    }

    /// Random numbers that are the same in each run.
    private struct Steps {
        private var state: UInt64

        init(_ seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
