import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import LogPublishing

@Suite("Copying the log into a bucket", .timeLimit(.minutes(5)))
struct LogCopierTests {
    private let place: TestFolder
    private let store = InMemoryEventStore()

    init() throws { place = try TestFolder.made() }

    private func folder(_ name: String = "log") -> LogFolder { LogFolder(at: place.file(name), in: POSIXFileSystem()) }

    private func server(
        _ bucket: SampleBucket,
        folder name: String = "log",
        entries: Bool = true
    ) throws -> CopiedServer {
        try CopiedServer(store, in: folder(name), to: bucket, entries: entries)
    }

    private func puts(_ bucket: SampleBucket) -> [String] { bucket.asked.filter { $0.method == "PUT" }.map(\.name) }

    @Test("every file of the newest checkpoint is there byte for byte as the log grows, and none is put twice")
    func growth() async throws {
        let bucket = SampleBucket()
        var server = try server(bucket)
        #expect(!server.copier.isDue, "there is nothing yet")
        var all: [String] = []
        for size: UInt32 in [0, 1, 3, 255, 256, 257, 600] {
            bucket.forget()
            #expect(try await server.copy(size) == nil)
            try server.expectWhole(UInt64(size), "\(size)")
            try server.expectReadable("\(size)")
            #expect(puts(bucket).last == "checkpoint" && !server.copier.isDue)
            all += puts(bucket).filter { $0 != "checkpoint" }
        }
        #expect(Set(all).count == all.count)
        #expect(server.copier.pause == .seconds(10))

        // The same without a word of the log changed is nothing, also in another process.
        bucket.forget()
        #expect(await server.copier.copy() == nil)
        var again = try self.server(bucket)
        try await again.grow(to: 600)
        #expect(again.copier.isDue)
        #expect(await again.copier.copy() == nil)
        #expect(puts(bucket).isEmpty && !again.copier.isDue)
        try again.expectWhole(600)
        #expect(try await again.copy(601) == nil)
        #expect(Set(puts(bucket)) == ["tile/entries/002.p/89", "tile/0/002.p/89", "checkpoint"])
    }

    @Test(
        "somebody who has nothing of ours reads the copy",
        .enabled(if: CopyReader.isThere, "python3 is not installed")
    )
    func stranger() async throws {
        let bucket = SampleBucket()
        var server = try server(bucket)
        #expect(try await server.copy(300) == nil)
        let reader = CopyReader(key: server.publisher.verifierKey)
        #expect(try reader.verifies(bucket.objects.mapValues(\.bytes), in: place.file("copy")))
        bucket.put([1], as: "tile/0/000")
        #expect(try !reader.verifies(bucket.objects.mapValues(\.bytes), in: place.file("other")))
    }

    @Test("of a log that grows entry by entry, the partial tiles of some copies stay, also over restarts")
    func partialTiles() async throws {
        let bucket = SampleBucket()
        var server = try server(bucket)
        for size: UInt32 in 230...290 {
            if size.isMultiple(of: 20) { server = try self.server(bucket) }
            #expect(try await server.copy(size) == nil)
            try server.expectWhole(UInt64(size))
        }
        let left = bucket.objects.keys.filter { $0.contains(".p/") && $0.hasPrefix("tile/0/") }
        #expect(left.sorted() == (287...290).map { "tile/0/001.p/\($0 - 256)" })
        try server.expectReadable()
    }

    @Test(
        "a bucket that fails at any call has all tiles of its checkpoint, and everything in the end",
        arguments: SampleBucket.Fault.allCases
    )
    func faults(_ fault: SampleBucket.Fault) async throws {
        let earlier = SampleBucket()
        var server = try server(earlier)
        for size: UInt32 in 251...255 { #expect(try await server.copy(size) == nil) }
        try await server.grow(to: 520)
        for isOther in [false, true] {
            var call = 0
            while true {
                // A process that finds what another one copied makes tiles full, and has partial ones removed in the end.
                let bucket = SampleBucket()
                bucket.objects = earlier.objects
                bucket.fail(at: call, fault)
                server = try self.server(bucket)
                let concern = try await server.copy(520)
                if bucket.asked.count <= call { break }
                #expect(concern != nil, "\(call)")
                if isOther {
                    server = try self.server(bucket)
                    try await server.grow(to: 520)
                }
                #expect(await server.copier.copy() == nil)
                try server.expectWhole(520, "\(call)")
                try server.expectReadable("\(call)")
                call += 1
            }
            try server.expectWhole(520)
            #expect(call > 15)
        }
    }

    @Test("a bucket that is away is asked less and less often, and nothing else is held up")
    func pauses() async throws {
        let bucket = SampleBucket()
        var server = try server(bucket)
        try await server.grow(to: 3)
        for call in 0..<12 { bucket.fail(at: call, .away) }
        var pauses: [Duration] = []
        for _ in 0..<12 {
            #expect(await server.copier.copy() == .unreachable(reason: "nobody is there"))
            pauses.append(server.copier.pause)
        }
        #expect(pauses == ([2, 4, 8, 16, 32, 64, 128, 256] + [300, 300, 300, 300]).map { .seconds($0) })
        #expect(server.copied.concern?.description.contains("It is tried again.") == true)
        #expect(try await server.copy(4) == nil)
        #expect(server.copied.concern == nil && server.copier.pause == .seconds(10))
    }

    @Test("the checkpoint of readers is copied, not one that witnesses have not seen yet")
    func shown() async throws {
        let bucket = SampleBucket()
        var server = try server(bucket)
        #expect(try await server.copy(3) == nil)
        try await store.acceptSealed(4...5)
        try await server.publisher.publish()
        #expect(!server.copier.isDue)
        #expect(await server.copier.copy() == nil)
        try server.expectWhole(3)
    }

    @Test("hashes alone are copied unless the settings say otherwise, and entries are added later")
    func entries() async throws {
        let bucket = SampleBucket()
        var server = try server(bucket, entries: false)
        #expect(try await server.copy(300) == nil)
        #expect(!bucket.objects.keys.contains { $0.contains("entries") })
        try server.expectWhole(300, entries: false)

        server = try self.server(bucket)
        #expect(try await server.copy(300) == nil)
        try server.expectWhole(300)
        bucket.forget()
        server = try self.server(bucket)
        #expect(try await server.copy(301) == nil)
        #expect(puts(bucket).count == 3)
    }

    @Test("a file of the log that is gone, or cannot be read, is told without the place of the folder")
    func unreadable() async throws {
        let bucket = SampleBucket()
        var server = try server(bucket)
        try await server.grow(to: 300)
        let files = POSIXFileSystem()
        for name in ["tile/0/000", "tile/entries/001.p/44"] {
            let tile = try #require(Tile(path: name))
            let bytes = try #require(try folder().tiles.bytes(of: tile, limit: tile.maximumBytes))
            try files.remove(place.file("log/\(name)"))
            for isFolder in [false, true] {
                if isFolder { try files.makeDirectory(place.file("log/\(name)")) }
                let text = await server.copier.copy().map { "\($0)" } ?? ""
                #expect(text.hasPrefix("The log cannot be copied into its bucket: "), "\(text)")
                #expect(text.contains(isFolder ? "cannot be read" : name) && !text.contains(place.file("")), "\(text)")
                #expect(bucket.objects["checkpoint"] == nil)
            }
            try FileManager.default.removeItem(atPath: place.file("log/\(name)"))
            try files.replaceFile(at: place.file("log/\(name)"), with: bytes)
        }
        #expect(await server.copier.copy() == nil)
        try server.expectWhole(300)
    }

    @Test("time-stamps are copied once, and their list only grows")
    func stamps() async throws {
        let bucket = SampleBucket()
        let files = POSIXFileSystem()
        try files.makeDirectory(place.file("log/time-stamps"))
        func stamp(_ size: Int) throws {
            for name in ["\(size).checkpoint", "\(size).tsr"] {
                try files.replaceFile(at: place.file("log/time-stamps/\(name)"), with: Array(name.utf8))
            }
        }
        for size in [2, 3, 9] { try stamp(size) }
        bucket.put(Array("1\nx\n02\n".utf8), as: "time-stamps/list")
        var server = try server(bucket)
        #expect(try await server.copy(3) == nil)
        #expect(bucket.objects["time-stamps/2.tsr"]?.bytes == Array("2.tsr".utf8))
        #expect(bucket.objects["time-stamps/3.checkpoint"]?.bytes == Array("3.checkpoint".utf8))
        #expect(bucket.objects["time-stamps/3.tsr"]?.contentType == "application/timestamp-reply")
        #expect(bucket.objects["time-stamps/9.tsr"] == nil, "it is newer than the checkpoint")
        #expect(bucket.objects["time-stamps/list"]?.bytes == Array("1\n2\n3\n".utf8))

        // Another server's pair is there first, and stays as a pair.
        bucket.put(Array("another".utf8), as: "time-stamps/9.checkpoint")
        bucket.forget()
        server = try self.server(bucket)
        #expect(try await server.copy(9) == nil)
        #expect(bucket.objects["time-stamps/9.tsr"] == nil)
        #expect(bucket.objects["time-stamps/list"]?.bytes == Array("1\n2\n3\n9\n".utf8))
        #expect(
            puts(bucket).filter { $0.hasPrefix("time-stamps") } == ["time-stamps/9.checkpoint", "time-stamps/list"]
        )
        #expect(!server.copier.isDue)
    }
}
