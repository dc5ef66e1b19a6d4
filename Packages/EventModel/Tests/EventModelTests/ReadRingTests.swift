import Dispatch
import EventModel
import EventModelTesting
import Synchronization
import Testing

@Suite("Rings of reads")
struct ReadRingTests {
    private static let shape = ClassShape(
        name: "Note",
        properties: [PropertyShape(name: "_id", kind: .int), PropertyShape(name: "text", kind: .string)],
        primaryKeySlot: 0
    )

    /// Makes rows; a small chunk has some of them.
    private static func rows(_ count: Int, chunkByteCount: Int = 512, textBytes: Int = 8) -> [ObjectSnapshot] {
        var writer = SnapshotWriter(shape: shape, chunkByteCount: chunkByteCount)
        return (0..<count)
            .map { key in
                writer.begin(key: Int64(key), version: 1, whole: true)
                writer.set(0, int: Int64(key))
                writer.set(1, string: String(repeating: "x", count: textBytes))
                return writer.finish()
            }
    }

    @Test("a ring is closed until its observer opens it")
    func closedAtFirst() {
        let ring = ReadRing(clock: ManualClock())
        let row = Self.rows(1)[0]

        #expect(!ring.append(row))
        ring.open()
        #expect(ring.append(row))
        #expect(ring.keys() == [0])
        #expect(ring.keys() == [])
    }

    @Test("reads come out in order, with their rows, sizes and times")
    func inOrder() {
        let clock = ManualClock(step: 3)
        let ring = ReadRing(clock: clock)
        let rows = Self.rows(40)
        ring.open()

        #expect(rows.allSatisfy { ring.append($0) })
        var taken: [ObjectSnapshot] = []
        var times: [UInt64] = []
        ring.take { read, chunk in
            taken.append(chunk.snapshot(at: Int(read.place)))
            times.append(read.monotonicNanoseconds)
            #expect(read.byteCount == taken.last?.byteCount)
        }

        #expect(taken == rows)
        #expect(times == (0..<40).map { $0 * 3000 })
    }

    @Test("a ring that is full refuses reads until it is opened again")
    func full() {
        let ring = ReadRing(clock: ManualClock())
        let rows = Self.rows(ReadRing.capacity + 1)
        ring.open()

        let isAdded = rows.map { ring.append($0) }

        #expect(isAdded == rows.map { $0.key < ReadRing.capacity })
        #expect(!ring.hasTakenLast())
        #expect(ring.keys().count == ReadRing.capacity)
        #expect(!ring.append(rows[0]))
        ring.open()
        #expect(ring.append(rows[0]))
    }

    @Test("the rows of a ring have a bound together")
    func bytes() {
        let ring = ReadRing(clock: ManualClock())
        let rows = Self.rows(8, textBytes: 10_000)
        ring.open()

        #expect(rows.map { ring.append($0) } == rows.map { $0.key < 6 })
        #expect(ring.keys() == Array(0..<6))
    }

    @Test("an object inside of another one's row is refused, since its shape is not that of its memory")
    func embedded() throws {
        let home = ClassShape(name: "Home", properties: [PropertyShape(name: "rooms", kind: .int)], isEmbedded: true)
        let person = ClassShape(
            name: "Person",
            properties: [
                PropertyShape(name: "home", kind: .embedded, isOptional: true, targetClass: "Home", embeddedShape: home)
            ]
        )
        var homes = SnapshotWriter(shape: home)
        homes.begin(key: 0, version: 1, whole: true)
        homes.set(0, int: 4)
        let inside = homes.finish()
        var writer = SnapshotWriter(shape: person)
        writer.begin(key: 1, version: 1, whole: true)
        writer.setPacked(0) { $0.append(embedded: inside) }
        let value = writer.finish().value(0)
        let ring = ReadRing(clock: ManualClock())
        ring.open()

        guard case .object(let embedded) = value else {
            Issue.record("The value is no object: \(value)")
            return
        }
        #expect(!ring.append(embedded))
        #expect(ring.keys() == [])
    }

    @Test("closing gives out what is there, and lets go of its memory")
    func closing() {
        let ring = ReadRing(clock: ManualClock())
        weak var chunk: SnapshotChunk?
        do {
            let row = Self.rows(1)[0]
            chunk = row.chunk
            ring.open()
            #expect(ring.append(row))
            #expect(ring.append(row))
        }
        #expect(chunk != nil)
        var count = 0

        ring.close { _, _ in count += 1 }

        #expect(count == 2)
        #expect(chunk == nil)
        #expect(!ring.append(Self.rows(1)[0]))
    }

    @Test("a ring that is let go of with reads in it lets go of their memory")
    func abandoned() {
        weak var chunk: SnapshotChunk?
        do {
            let ring = ReadRing(clock: ManualClock())
            let row = Self.rows(1)[0]
            chunk = row.chunk
            ring.open()
            #expect(ring.append(row))
        }
        #expect(chunk == nil)
    }

    @Test("random programs of adding, taking, closing and opening keep what a plain list keeps")
    func random() {
        var generator = SeededGenerator(seed: 18)
        let rows = Self.rows(1000)
        for _ in 0..<200 {
            let observer = RingObserver()
            let ring = ReadRing(clock: ManualClock())
            var expected: [Int64] = []
            for _ in 0..<generator.below(1500) {
                switch generator.below(100) {
                case 0: observer.look()
                case 1: observer.close()
                default:
                    let row = rows[generator.below(rows.count)]
                    expected.append(row.key)
                    observer.read(row, ring)
                }
            }
            observer.close()

            #expect(observer.keys == expected)
        }
    }

    @Test("what one thread reads is kept once and in turn while another one looks, closes and reads at any moment")
    func twoThreads() {
        let rows = Self.rows(50_000, chunkByteCount: 4096)
        let observer = RingObserver()

        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            let ring = ReadRing(clock: SystemClock())
            switch thread {
            case 0: for row in rows { observer.read(row, ring) }
            case 1: for row in rows.prefix(5000) { observer.read(row, ring) }
            default: for turn in 0..<20_000 { if turn.isMultiple(of: 3) { observer.close() } else { observer.look() } }
            }
        }
        observer.close()

        // The second thread reads the first of the rows once more.
        var counts: [Int64: Int] = [:]
        for key in observer.keys { counts[key, default: 0] += 1 }
        #expect(observer.keys.count == 55_000)
        #expect(rows.allSatisfy { counts[$0.key] == ($0.key < 5000 ? 2 : 1) })
        #expect(observer.keys.filter { $0 >= 5000 } == Array(5000..<50_000))
    }

    @Test(
        "reads of two threads that wait for each other are kept in turn while a third one looks and closes at any moment"
    )
    func handedOver() {
        let rows = Self.rows(5_000)
        let observer = RingObserver()
        let threads = (0..<2).map { DispatchQueue(label: "thread \($0)") }
        let rings = (0..<2).map { _ in ReadRing(clock: SystemClock()) }
        let others = DispatchGroup()
        DispatchQueue.global()
            .async(group: others) {
                for turn in 0..<20_000 { if turn.isMultiple(of: 3) { observer.close() } else { observer.look() } }
            }

        for (number, row) in rows.enumerated() {
            let thread = number / 3 % 2
            threads[thread].sync { observer.read(row, rings[thread]) }
        }
        others.wait()
        observer.close()

        #expect(observer.keys == (0..<5_000).map { $0 })
    }
}

/// Keeps the keys of reads in one order, as an observer does.
private final class RingObserver: Sendable {
    private struct State {
        var keys: [Int64] = []
        var open: ReadRing?

        mutating func close() {
            open?.close { read, chunk in keys.append(chunk.snapshot(at: Int(read.place)).key) }
            open = nil
        }
    }

    private let state = Mutex(State())

    var keys: [Int64] { state.withLock { $0.keys } }

    func read(_ row: ObjectSnapshot, _ ring: ReadRing) {
        if ring.append(row) { return }
        state.withLock { state in
            state.close()
            if !ring.hasTakenLast() { state.keys.append(row.key) }
            ring.open()
            state.open = ring
        }
    }

    func look() {
        state.withLock { state in
            state.open?.take { read, chunk in state.keys.append(chunk.snapshot(at: Int(read.place)).key) }
        }
    }

    func close() { state.withLock { $0.close() } }
}

extension ReadRing {
    /// Takes what is there.
    fileprivate func keys() -> [Int64] {
        var keys: [Int64] = []
        take { read, chunk in keys.append(chunk.snapshot(at: Int(read.place)).key) }
        return keys
    }
}
