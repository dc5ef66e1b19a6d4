import EventModel
import EventModelTesting
import EventPartitionsTesting
import Foundation
import Testing

@testable import EventPartitions

@Suite("Event files with a wrong byte")
struct FlippedByteTests {
    /// Opens the folder as the next process, reads everything as an upload would, and says what is wrong afterwards.
    private func problems(after change: Int, of sample: SampleFile) throws -> [String] {
        var changed = sample.bytes
        changed[change] ^= 1 << UInt8(change % 8)
        let fixture = try sample.place(changed)
        let wrong = try fixture.events(sample.path).filter { !sample.events.contains($0) }
        let isFound = try !fixture.verify(sample.path).problems.isEmpty

        let files = try fixture.open()
        for summary in try files.partitions() where summary.quarantineReason == nil {
            // A file that turns out to be damaged is kept aside by the call that finds it.
            let uploaded = try? files.upload(summary.partition, maximumBytes: .max)
            // The seal repeats the ledger: what is wrong with the entries in the file costs the server nothing.
            if summary.isSealed, change >= sample.lastEventEnd, uploaded == sample.events {
                return isFound ? [] : ["unseen"]
            }
        }
        let isReported = try files.partitions().contains { $0.quarantineReason != nil }
        try files.close()

        let reports = try fixture.reports()
        let kept = try fixture.storedEvents()
        let losses = reports.flatMap(\.losses)
        var problems = reports.flatMap(\.problems).map(\.description)
        if !wrong.isEmpty { problems.append("events were read that nobody wrote") }
        if !isFound { problems.append("it is not found") }
        if !isReported { problems.append("it is not reported") }
        if kept.contains(where: { !sample.events.contains($0) }) { problems.append("wrong events are kept") }
        if Set(kept).count != kept.count { problems.append("events are stored twice") }
        // The header of the last frames does not say any more how many events they held: they count as one.
        let missing = UInt64(sample.events.count - kept.count)
        if missing > 0, losses.filter({ $0.reason == .damaged }).eventCount == 0 {
            problems.append("\(missing) events are lost and not in the ledger")
        }
        if losses.eventCount < sample.losses(within: sample.bytes.count) {
            problems.append("the ledger has lost entries")
        }
        return problems
    }

    @Test(
        "any one of them: it is found and reported, the file is kept aside, and every other event is stored once",
        arguments: [false, true],
        0..<2
    )
    func everyByte(sealed: Bool, part: Int) throws {
        try flipEach(of: SampleFile(sealed: sealed), sealed: sealed, part: part)
    }

    @Test("the same of an encrypted file", arguments: [false, true])
    func encrypted(sealed: Bool) throws {
        try flipEach(of: SampleFile(sealed: sealed, isEncrypted: true), sealed: sealed, part: 1)
    }

    private func flipEach(of sample: SampleFile, sealed: Bool, part: Int) throws {
        // A sealed file begins like the other one, so its first frames are sampled.
        for index in sample.bytes.indices
        where index % 2 == part && (!sealed || index >= sample.lastEventEnd || index % 5 == 0) {
            let problems = try problems(after: index, of: sample)
            #expect(problems == [], "byte \(index) of \(sample.bytes.count)")
        }
    }

    @Test("in a sealed file it is reported some seconds after the folder is opened, although nobody reads the file")
    func inBackground() throws {
        let sample = try SampleFile(sealed: true, padding: 300, appends: 6)
        for index in stride(from: 0, to: sample.bytes.count, by: 13) {
            var changed = sample.bytes
            changed[index] ^= 1 << UInt8(index % 8)
            let fixture = try sample.place(changed)
            let timer = ManualTimer()
            let files = try fixture.open(timer: timer)
            while timer.waitingCount > 0 {
                timer.advance(nanoseconds: 2_000_000_000)
                files.waitUntilSynced()
            }
            try files.close()

            #expect(!fixture.errors.errors.isEmpty, "byte \(index) of \(sample.bytes.count)")
            let missing = UInt64(sample.events.count - Set(try fixture.storedEvents()).count)
            #expect(try fixture.reports().flatMap(\.losses).eventCount >= missing, "byte \(index)")
        }
    }

    @Test("in a file above 64 KiB, at bytes drawn by a seed")
    func largeFile() throws {
        let sample = try SampleFile(sealed: true, padding: 4000, appends: 30)
        #expect(sample.bytes.count > 64 << 10)
        var random = SeededGenerator(seed: 5)
        for _ in 0..<25 {
            let index = Int.random(in: sample.bytes.indices, using: &random)
            let problems = try problems(after: index, of: sample)
            #expect(problems == [], "byte \(index) of \(sample.bytes.count)")
        }
    }

    @Test("a file of which nothing is right is nobody's: it is left alone, reported, and blocks nothing")
    func foreignFile() throws {
        let fixture = try DiskFixture()
        let path = "\(fixture.folder.path)/\(ObjectId(high: 0, low: 1)).events"
        let bytes = Array("This is a letter to somebody and not an event file at all.".utf8)
        fixture.disk.place(bytes, at: path)

        let files = try fixture.open()
        _ = try files.append([.sample(1)])

        let summaries = try files.partitions()
        #expect(summaries.map { $0.quarantineReason == nil } == [false, true])
        #expect(summaries.first?.quarantineReason?.contains("left alone") == true)
        #expect(fixture.disk.contents(of: path) == bytes)
        #expect(fixture.log.notices.count == 1)
    }
}
