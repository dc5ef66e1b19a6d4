import EventModelTesting
import Testing

@testable import ObjectStore

@Suite("An array in blocks")
struct BlocksTests {
    @Test("it is what an array is, whatever comes and goes where", arguments: 0..<30)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var blocks = Blocks<Int>()
        var array: [Int] = []
        var next = 0
        for step in 1...300 {
            let lower = Int.random(in: 0...array.count, using: &random)
            let length = Int.random(in: 0...(Bool.random(using: &random) ? 3 : 3000), using: &random)
            let range = lower..<min(array.count, lower + length)
            let added = Array(
                next..<(next + Int.random(in: 0...(Bool.random(using: &random) ? 2 : 2500), using: &random))
            )
            next += added.count

            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                blocks.append(next)
                array.append(next)
            case 1 where !array.isEmpty:
                let index = Int.random(in: array.indices, using: &random)
                blocks[index] = next
                array[index] = next
            default:
                blocks.replaceSubrange(range, with: added)
                array.replaceSubrange(range, with: added)
            }

            #expect(blocks.count == array.count)
            #expect(Self.content(of: blocks) == Array(array.withUnsafeBytes { $0 }))
            // What the blocks hold is compared at once; what each index leads to takes longer than to change them.
            if step.isMultiple(of: 10) { #expect(blocks.elementsEqual(array)) }
            for index in [lower - 1, lower, lower + added.count] where array.indices.contains(index) {
                #expect(blocks[index] == array[index])
            }
        }
    }

    /// The bytes of all blocks in their order.
    private static func content(of blocks: Blocks<Int>) -> [UInt8] {
        blocks.blocks.reduce(into: []) { bytes, block in block.withUnsafeBytes { bytes += $0 } }
    }

    @Test("a copy keeps what it had")
    func copies() {
        var blocks = Blocks(0..<5000)
        let copy = blocks

        blocks.remove(at: 2500)
        blocks[0] = -1

        #expect(copy.elementsEqual(0..<5000))
        #expect(blocks.count == 4999)
        #expect(blocks[2500] == 2501)
    }

    @Test("what is taken away in front leaves no empty blocks")
    func queue() {
        var blocks = Blocks(0..<4096)

        for number in 4096..<10_000 {
            blocks.append(number)
            #expect(blocks.removeFirst() == number - 4096)
        }

        #expect(blocks.elementsEqual(5904..<10_000))
    }
}
