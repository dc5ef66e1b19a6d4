import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Foundation
import Testing

@Suite("Event files that were cut off")
struct TruncationTests {
    @Test(
        "at any byte: every event of a whole frame is there, one notice says what was cut",
        arguments: [false, true],
        [false, true]
    )
    func everyByte(sealed: Bool, encrypted: Bool) throws {
        let sample = try SampleFile(sealed: sealed, isEncrypted: encrypted)
        // A sealed file begins like the other one.
        for size in (sealed ? sample.lastEventEnd : 0)...sample.bytes.count {
            let fixture = try sample.place(Array(sample.bytes.prefix(size)))
            let expected = sample.events(within: size)
            #expect(try fixture.storedEvents() == expected, "cut off at \(size)")

            let files = try fixture.open()
            _ = try files.append([.sample(99)])
            try files.close()

            let reports = try fixture.reports()
            #expect(reports.flatMap(\.problems) == [], "cut off at \(size)")
            #expect(try fixture.storedEvents() == expected + [.sample(99)], "cut off at \(size)")
            let losses = reports.flatMap(\.losses)
            let lost = losses.filter { $0.reason != .damaged }.eventCount
            #expect(lost == sample.losses(within: size), "cut off at \(size)")
            let isWhole = size == sample.bytes.count || sample.frameEnds.contains(size)
            let isEmpty = expected.isEmpty && lost == 0
            let notices = fixture.log.notices.count
            guard sealed, size < sample.bytes.count else {
                #expect(notices == (isEmpty || !isWhole ? 1 : 0), "cut off at \(size)")
                #expect(fixture.errors.findings == [], "cut off at \(size)")
                continue
            }
            // Behind all that was sealed only the seal is missing: it is written again, as it was signed.
            let isInSeal = size >= sample.frameEnds[sample.frameEnds.count - 1]
            #expect(notices == (isInSeal ? 0 : 1), "cut off at \(size)")
            #expect(losses.filter { $0.reason == .damaged }.count == (isInSeal ? 0 : 1), "cut off at \(size)")
            guard case .some = fixture.errors.findings.first, fixture.errors.findings.count == 1 else {
                Issue.record("cut off at \(size), \(fixture.errors.findings) was found")
                continue
            }
            if isInSeal { #expect(fixture.disk.contents(of: sample.path) == sample.bytes, "cut off at \(size)") }
        }
    }

    @Test("a file that was cut off twice, once while it was recovered, still holds every whole event")
    func duringRecovery() throws {
        let sample = try SampleFile(sealed: false)
        let cut = sample.bytes.count - 5
        let fixture = try sample.place(Array(sample.bytes.prefix(cut)))
        _ = try fixture.open()
        let recovered = try #require(fixture.disk.contents(of: sample.path))
        // Recovery wrote the seal in the place of the torn frame.
        for size in sample.end(before: cut)...recovered.count {
            let again = try sample.place(Array(recovered.prefix(size)))

            let files = try again.open()

            #expect(try files.partitions().map(\.count) == [UInt64(sample.events(within: cut).count)])
            #expect(try again.reports().flatMap(\.problems) == [])
        }
    }

    @Test("a large file that was cut off anywhere keeps its whole frames")
    func largeFile() throws {
        let sample = try SampleFile(sealed: false, padding: 4000, appends: 30)
        #expect(sample.bytes.count > 64 << 10)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            let size = Int.random(in: 0...sample.bytes.count, using: &random)
            let fixture = try sample.place(Array(sample.bytes.prefix(size)))

            let files = try fixture.open()

            let expected = sample.events(within: size)
            #expect(try files.partitions().map(\.count) == (expected.isEmpty ? [] : [UInt64(expected.count)]))
            #expect(try fixture.storedEvents() == expected)
        }
    }
}
