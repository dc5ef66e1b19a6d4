import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

/// What somebody can do who has the device's files in his hands, and not its key.
@Suite("Files in the hands of a thief")
struct ThiefTests {
    let image: DeviceImage

    init() throws {
        image = try DeviceImage()
    }

    private var paths: [String] { image.sealed.map { DeviceImage.path($0) } }

    /// What an attack leaves: what `verify` finds, what the error handler is reported at the next opening, and the ledger then.
    private func outcome(_ change: (inout [String: [UInt8]]) throws -> Void) throws -> (
        audit: [PartitionFinding], reported: [PartitionFinding], losses: [LossEntry], fixture: DiskFixture
    ) {
        var files = image.files
        try change(&files)
        let fixture = try DeviceImage.place(files)
        let audit = try fixture.audit()
        let opened = try fixture.open()
        _ = try opened.partitions()
        let losses = try opened.losses()
        try opened.close()
        return (audit, fixture.errors.findings, losses, fixture)
    }

    @Test("what nobody touched is reported of nowhere, however often it is opened")
    func nothing() throws {
        let (audit, reported, losses, fixture) = try outcome { _ in }
        #expect(audit == [])
        #expect(reported == [])
        #expect(losses == [])
        #expect(fixture.errors.errors.isEmpty)

        for _ in 0..<3 {
            let files = try fixture.open()
            _ = try files.partitions()
            try files.close()
            #expect(try fixture.audit() == [])
            #expect(try fixture.problems() == [])
        }
        #expect(fixture.errors.errors.isEmpty)
        #expect(fixture.log.notices.isEmpty)
    }

    @Test("a sealed file that is cut off anywhere is reported, what is missing is entered, and nothing is signed anew")
    func cutting() throws {
        let partition = image.sealed[1]
        let path = DeviceImage.path(partition)
        let whole = try #require(image.files[path])
        for size in stride(from: 0, to: whole.count, by: 7) {
            let (audit, reported, losses, fixture) = try outcome { $0[path] = Array(whole.prefix(size)) }
            #expect(audit.map(\.partition) == [partition], "cut off at \(size)")
            #expect(reported.map(\.partition) == [partition], "cut off at \(size)")
            let kept = try fixture.storedEvents().filter { AuditEvent.samples(20..<25).contains($0) }.count
            let missing = losses.filter { $0.partition == partition }.eventCount
            // An event is there or entered; the ledger that may have been cut off counts as one.
            #expect(missing == 0 ? kept == 5 : UInt64(5 - kept) <= missing, "cut off at \(size)")
            let seals = try fixture.paths().compactMap { try fixture.verify($0).seal }
            #expect(!seals.contains { $0.partition == partition && $0.signature != seal(of: partition)?.signature })
        }
    }

    private func seal(of partition: PartitionID) -> PartitionSeal? {
        let fixture = try? DeviceImage.place(image.files)
        return try? fixture?.verify(DeviceImage.path(partition)).seal
    }

    @Test("a removed file is reported once, entered with its count, and found by verify for ever")
    func removing() throws {
        let partition = image.sealed[0]
        let path = DeviceImage.path(partition)
        let expected = PartitionFinding.missing(partition, count: 5, path: path)

        let (audit, reported, losses, fixture) = try outcome { $0[path] = nil }

        #expect(audit == [expected])
        #expect(reported == [expected])
        let entry = try #require(losses.first)
        #expect(losses.count == 1)
        #expect((entry.reason, entry.count, entry.partition, entry.sequences) == (.missing, 5, partition, 1...5))
        #expect(entry.root == seal(of: partition)?.root)
        for _ in 0..<2 {
            let files = try fixture.open()
            try files.close()
        }
        #expect(fixture.errors.findings == [expected])
        #expect(try fixture.audit() == [expected])
        let signed = try fixture.reports().flatMap { $0.seal?.losses ?? [] }
        #expect(signed == [entry])
    }

    @Test("a file that was never sealed is missed, too")
    func removingOpen() throws {
        let path = DeviceImage.path(image.open)
        let expected = PartitionFinding.missing(image.open, count: nil, path: path)

        let (audit, reported, losses, _) = try outcome { $0[path] = nil }

        #expect(audit == [expected])
        #expect(reported == [expected])
        #expect(losses.map(\.reason) == [.missing])
        #expect(losses.map(\.count) == [1])
    }

    @Test("a removed file that is put back is uploaded, and no longer missing")
    func puttingBack() throws {
        let path = DeviceImage.path(image.sealed[0])
        let (_, _, _, fixture) = try outcome { $0[path] = nil }
        fixture.disk.place(try #require(image.files[path]), at: path)

        let files = try fixture.open()

        #expect(try files.upload(image.sealed[0]).count == 5)
        #expect(fixture.errors.findings.count == 1)
        #expect(try fixture.audit() == [])
    }

    @Test("of two files that were exchanged both are reported")
    func swapping() throws {
        let (audit, reported, losses, _) = try outcome { files in
            (files[paths[0]], files[paths[1]]) = (files[paths[1]], files[paths[0]])
        }

        #expect(Set(audit.compactMap(\.partition)) == Set(image.sealed[0...1]))
        #expect(Set(reported.compactMap(\.partition)) == Set(image.sealed[0...1]))
        #expect(losses.eventCount == 10)
    }

    @Test("an older copy of a file is reported, with what it lacks")
    func olderCopy() throws {
        let partition = image.sealed[2]
        let path = DeviceImage.path(partition)
        let expected = PartitionFinding.shortened(partition, sealed: 5, found: 3, path: path)

        let (audit, reported, losses, fixture) = try outcome { $0[path] = image.unsealed[partition] }

        #expect(audit == [expected])
        #expect(reported == [expected])
        #expect(losses.filter { $0.partition == partition }.eventCount == 2)
        #expect(try fixture.storedEvents().filter { AuditEvent.samples(30..<33).contains($0) }.count == 3)
    }

    @Test("older copies of all files are reported one by one")
    func olderCopies() throws {
        let (audit, reported, _, _) = try outcome { files in
            for partition in image.sealed { files[DeviceImage.path(partition)] = image.unsealed[partition] }
        }

        #expect(Set(audit.compactMap(\.partition)) == Set(image.sealed))
        #expect(Set(reported.compactMap(\.partition)) == Set(image.sealed))
    }

    @Test("a file that was uploaded and deleted is reported when it is there again, and uploaded again")
    func returning() throws {
        let path = DeviceImage.path(image.uploaded)
        let expected = PartitionFinding.returned(image.uploaded, path: path)

        let (audit, reported, losses, fixture) = try outcome { $0[path] = image.earlier[path] }

        #expect(audit == [expected])
        #expect(reported == [expected])
        #expect(losses == [])
        let files = try fixture.open()
        #expect(try files.upload(image.uploaded).count == 5)
        try files.delete(image.uploaded)
        try files.close()
        #expect(try fixture.audit() == [])
        #expect(fixture.errors.findings == [expected])
    }

    @Test("a file with the ending of those that are kept aside is reported, and goes on being uploaded")
    func hidingAside() throws {
        let partition = image.sealed[1]
        let aside = DeviceImage.path(partition, "quarantined")
        let expected = PartitionFinding.renamed(partition, path: aside)

        let (audit, reported, losses, fixture) = try outcome { files in
            files[aside] = files.removeValue(forKey: DeviceImage.path(partition))
        }

        #expect(audit == [expected])
        #expect(reported == [expected])
        #expect(losses == [])
        let files = try fixture.open()
        #expect(try files.upload(partition).count == 5)
    }

    @Test("a forged note that a server holds everything deletes nothing")
    func forgedNote() throws {
        let partition = image.sealed[0]
        let fixture = try DeviceImage.place(image.files)
        let files = try fixture.open()
        _ = try files.upload(partition)
        try files.close()
        let note = try #require(fixture.disk.contents(of: DeviceImage.path(partition, "acknowledged")))
        let other = DeviceKey()
        let forged = Array(note.dropLast(32))
        let codes = [
            [UInt8](repeating: 0, count: 32),
            other.code(for: forged + partition.id.withUnsafeBytes { Array($0) }),
        ]
        for code in codes {
            let (_, _, _, place) = try outcome { $0[DeviceImage.path(partition, "acknowledged")] = forged + code }
            let opened = try place.open()
            #expect(throws: PartitionError.self) { try opened.delete(partition) }
            #expect(try opened.partitions().first?.acknowledgedThrough == 0)
        }
    }

    @Test("the folders of two users that were exchanged are reported, and nobody's events are sent as another's")
    func exchangingOwners() throws {
        var files = image.files
        let fixture = try DeviceImage.place(files)
        let folder = try EventFolder(root: "/data", appID: "app", userID: "other", prefix: "ward")
        let others = try PartitionedEventFiles(
            folder,
            key: FilesFixture.key,
            fileSystem: fixture.disk,
            timer: ManualTimer()
        )
        _ = try others.append([.sample(500)])
        try others.seal()
        _ = try others.append([.sample(501)])
        files = fixture.disk.afterPowerCut(.losesNothing).allContents
        var swapped: [String: [UInt8]] = [:]
        for (path, bytes) in files {
            let isOther = path.contains("/other/")
            swapped[isOther ? path.replacing("/other/", with: "/user/") : path.replacing("/user/", with: "/other/")] =
                bytes
        }

        let place = try DeviceImage.place(swapped)
        let audit = try place.audit()
        let opened = try place.open()

        // Four files of one user lie at the other, and two the other way round; all six are missing from their places.
        #expect(audit.filter { if case .foreign = $0 { true } else { false } }.count == 6)
        #expect(audit.filter { if case .missing = $0 { true } else { false } }.count == 6)
        #expect(try opened.partitions().allSatisfy { $0.quarantineReason != nil || $0.count == 0 })
        #expect(place.errors.findings.filter { if case .foreign = $0 { true } else { false } }.count == 2)
        #expect(place.errors.findings.filter { if case .missing = $0 { true } else { false } }.count == 4)
    }

    @Test("an index that was taken away is reported, by whatever is left")
    func deletingIndex() throws {
        let changes: [(inout [String: [UInt8]]) -> Void] = [
            { $0[DeviceImage.index] = nil },
            // The files say that there was one.
            { files in
                files[DeviceImage.index] = nil
                files["\(DeviceImage.folder)/.lock"] = nil
            },
            // The folder says that there was one.
            { files in
                files[DeviceImage.index] = nil
                for path in files.keys where path.hasSuffix(".events") { files[path] = nil }
            },
        ]
        for (number, change) in changes.enumerated() {
            let (audit, reported, losses, fixture) = try outcome(change)
            #expect(audit.count == 1, "change \(number)")
            #expect(reported.count == 1, "change \(number)")
            #expect(losses.map(\.reason) == [.indexLost], "change \(number)")
            guard case .indexUnusable = audit.first, case .indexLost = reported.first else {
                Issue.record("change \(number): \(audit), \(reported)")
                continue
            }
            // The one that is begun anew says so from then on, and numbers go on behind what is there.
            #expect(try fixture.audit() == reported)
            let numbers = try fixture.reports().compactMap { $0.seal?.number }
            #expect(Set(numbers).count == numbers.count)
        }
    }

    @Test("an older index is reported")
    func olderIndex() throws {
        let (audit, reported, losses, _) = try outcome { files in
            files[DeviceImage.index] = image.earlier[DeviceImage.index]
        }
        // It speaks of the uploaded partition as one that should be there.
        #expect(audit == [.missing(image.uploaded, count: 5, path: DeviceImage.path(image.uploaded))])
        #expect(reported == audit)
        #expect(losses.map(\.reason) == [.missing])
    }

    @Test("a wrong byte anywhere in the index is reported, or says nothing that anybody relies on")
    func flippingIndex() throws {
        let whole = try #require(image.files[DeviceImage.index])
        let end = (whole.lastIndex { $0 != 0 } ?? 0) + 1
        for place in stride(from: 0, to: end, by: 3) {
            var changed = whole
            changed[place] ^= 1 << UInt8(place % 8)
            let fixture = try DeviceImage.place(image.files.merging([DeviceImage.index: changed]) { $1 })
            let audit = try fixture.audit()
            let files = try fixture.open()
            try files.close()
            let reported = fixture.errors.findings
            #expect(audit.isEmpty == reported.isEmpty, "byte \(place) of \(end): \(audit), \(reported)")
            // The last record says that a partition was begun, which is there.
            if audit.isEmpty { #expect(place > end - 400, "byte \(place) of \(end)") }
        }
    }

    @Test("another device's index is reported")
    func foreignIndex() throws {
        let disk = InMemoryFileSystem()
        let folder = try EventFolder(root: "/data", appID: "app", userID: "user", prefix: "ward")
        let files = try PartitionedEventFiles(folder, key: DeviceKey(), fileSystem: disk, timer: ManualTimer())
        _ = try files.append([.sample(1)])
        try files.close()

        let (audit, reported, losses, _) = try outcome { $0[DeviceImage.index] = disk.contents(of: DeviceImage.index) }

        #expect(!audit.isEmpty)
        #expect(reported.count == 1)
        #expect(losses.map(\.reason) == [.indexLost])
    }

    @Test("another key beside the index is reported")
    func replacingKey() throws {
        let fixture = try DiskFixture()
        func open() throws -> PartitionedEventFiles {
            try PartitionedEventFiles(
                fixture.folder,
                fileSystem: fixture.disk,
                timer: ManualTimer(),
                errorHandler: { [errors = fixture.errors] in errors.add($0) }
            )
        }
        let files = try open()
        _ = try files.append([.sample(1)])
        try files.close()
        #expect(try fixture.audit() == [])
        fixture.disk.place([UInt8](repeating: 9, count: 32), at: fixture.folder.keyPath)

        let audit = try fixture.audit()
        let again = try open()
        try again.close()

        guard case .indexUnusable = audit.first else { return #expect(audit == []) }
        #expect(fixture.errors.findings.count == 1)
        #expect(try fixture.audit().count == 1)
    }

    @Test("an index that is taken away or exchanged while it is used is reported, and is there again")
    func whileOpen() throws {
        for older in [nil, image.earlier[DeviceImage.index]] {
            let fixture = try DeviceImage.place(image.files)
            let files = try fixture.open()
            _ = try files.append([.sample(200)])
            if let older {
                fixture.disk.place(older, at: DeviceImage.index)
            } else {
                try fixture.disk.remove(DeviceImage.index)
            }

            try files.seal()
            try files.close()

            #expect(fixture.errors.findings.count == 1)
            guard case .indexLost = fixture.errors.findings.first else {
                Issue.record("\(fixture.errors.findings)")
                continue
            }
            #expect(try fixture.audit() == fixture.errors.findings)
            #expect(try fixture.reports().flatMap(\.losses).map(\.reason) == [.indexLost])
        }
    }

    @Test("events that were changed with all checksums are found by verify, and never signed again")
    func forgedEvents() throws {
        let partition = image.sealed[0]
        let path = DeviceImage.path(partition)
        let forged = try FrameForgery.changingEvent(in: #require(image.files[path]), of: partition.id)
        let fixture = try DeviceImage.place(image.files.merging([path: forged]) { $1 })
        #expect(try !fixture.verify(path).problems.isEmpty)

        let files = try fixture.open()
        #expect(throws: PartitionError.self) { try files.read(partition, from: 1, maximumBytes: .max) }
        try files.close()

        let entry = try #require(try fixture.reports().flatMap(\.losses).first { $0.partition == partition })
        #expect((entry.reason, entry.count) == (.damaged, 5))
        #expect(try fixture.storedEvents().filter { AuditEvent.samples(10..<15).contains($0) } == [])
        #expect(try fixture.paths().contains(DeviceImage.path(partition, "quarantined")))
    }
}
