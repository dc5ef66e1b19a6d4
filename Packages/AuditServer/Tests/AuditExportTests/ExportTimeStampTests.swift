import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing
import TimeStamping

@testable import AuditFormats
@testable import AuditModel
@testable import AuditVerifying

@Suite("The time-stamp in an export", .enabled(if: SampleAuthority.isInstalled), .timeLimit(.minutes(5)))
struct ExportTimeStampTests {
    private let place: TestFolder
    private let authority: SampleAuthority
    private let store: InMemoryEventStore
    private let signer: EdwardsNoteSigner

    init() async throws {
        place = try TestFolder.made()
        try PrivateFile.makeFolder(place.file("authority"))
        authority = try SampleAuthority(in: place.file("authority"))
        store = try await SampleExport.store()
        // Entries 1 to 5 of the log, behind the one sealed partition of the samples.
        try await store.acceptSealed(5...9)
        signer = try SampleDevice.serverKey.logSigner(origin: "log.example/ward")
    }

    private func stamps(_ sizes: [UInt64]) async throws -> SampleStamps {
        var stamps = SampleStamps()
        for size in sizes {
            try stamps.add(await SampleExport.checkpoint(of: store, by: signer, size: size), by: authority)
        }
        return stamps
    }

    /// An export of all partitions, or of one.
    private func export(
        _ sizes: [UInt64],
        of device: UInt32? = nil,
        published: UInt64? = nil
    ) async throws -> SampleExport {
        try await export(stamps(sizes), of: device, published: published)
    }

    private func export(
        _ stamps: SampleStamps,
        of device: UInt32? = nil,
        published: UInt64? = nil
    ) async throws -> SampleExport {
        var filter = EventFilter()
        filter.partition = device.map { SampleDevice($0).partition }
        return try await SampleExport(
            store,
            filter: filter,
            formats: [.jsonl],
            key: SampleDevice.serverKey,
            published: SampleExport.checkpoint(of: store, by: signer, size: published),
            stamps: stamps
        )
    }

    private func put(_ files: (checkpoint: [UInt8], reply: [UInt8])?, into export: SampleExport) throws {
        let files = try #require(files)
        try export.write(Data(files.checkpoint), to: ExportManifest.stampedName)
        try export.write(Data(files.reply), to: ExportManifest.stampName)
    }

    private static func path(_ proof: ConsistencyProof) -> [String: Any] {
        ["first": proof.first, "second": proof.second, "path": proof.path.map(\.hex)]
    }

    // MARK: - What is carried

    @Test("an export carries the oldest time-stamp that all of its partitions existed before, and leads to it")
    func oldest() async throws {
        for (device, size, partitions) in [(1, 3, 1), (6, 3, 1), (7, 5, 1), (nil, 6, 6)] as [(UInt32?, UInt64, UInt64)]
        {
            let export = try await self.export([3, 5, 6], of: device)
            let found = try await export.verified(trusting: authority.trust)
            #expect(found.problems == [], "\(size)")
            #expect(found.provenTime?.entries == size && found.provenTime?.partitions == partitions)
            #expect(found.provenTime?.stamp.authority == "CN=Authority of Time 1")
            #expect(found.manifest?.consistency?.second == (size == 6 ? nil : 6))
            #expect(found.remarks.isEmpty == (device != nil), "\(found.remarks)")
        }
        // Witnesses were away, so that more was time-stamped than the export proves its partitions in.
        let export = try await self.export([6], of: 5, published: 4)
        let found = try await export.verified(trusting: authority.trust)
        #expect(found.problems == [] && found.provenTime?.entries == 6)
        #expect(found.manifest?.consistency?.first == 4 && found.manifest?.consistency?.second == 6)
        // The bytes are those that openssl knows what to do with.
        let (reply, bytes) = (try export.bytes(ExportManifest.stampName), try export.bytes(ExportManifest.stampedName))
        #expect(try authority.verifies(Array(reply), over: Array(bytes)))
    }

    @Test("a time-stamp of a part of the partitions is carried where there is no other, and it is said of how many")
    func part() async throws {
        let found = try await export([2, 3]).verified(trusting: authority.trust)
        #expect(found.problems == [] && found.provenTime?.entries == 3 && found.provenTime?.partitions == 3)
        #expect(
            found.remarks.first
                == "Of 4 partitions the time-stamp says nothing: they are open, or came into the log later."
        )
        // Samples were received years before they are time-stamped.
        #expect(found.remarks.last?.contains("it was entered later than it says.") == true, "\(found.remarks)")
        // Of none of them it would say nothing.
        let late = try await export([2, 3], of: 9)
        #expect(try !late.lines(ExportManifest.fileName).contains { $0.contains("time-stamp") })
        let told = try await late.verified(trusting: authority.trust).problems
        #expect(
            told == [
                "manifest.json: it names no time-stamp: when the partitions were there, only the server's clock says."
            ]
        )
        #expect(try late.verified().problems == [])
    }

    @Test(
        "without an authority that is believed the time-stamp is a remark, and its place in the log is checked all the same"
    )
    func unasked() async throws {
        let export = try await self.export([3], of: 5)
        let remark =
            "It carries a time-stamp, which was not checked: 'daybook verify --authority' does, with the roots of the authority of time."
        #expect(try export.verified().problems == [] && export.verified().remarks == [remark])
        try export.signAnew { $0["consistency"] = nil }
        #expect(try export.verified().problems.first?.contains("are not shown to be the same") == true)
    }

    @Test("of a log whose key was another one the newest time-stamp is taken, and one that is damaged is told")
    func unusable() async throws {
        let former = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519)
        var stamps = try await stamps([6])
        try stamps.add(await SampleExport.checkpoint(of: store, by: former, size: 3), by: authority)
        let found = try await export(stamps, of: 1).verified(trusting: authority.trust)
        #expect(found.problems == [] && found.provenTime?.entries == 6)

        stamps.put((Array("nothing".utf8), [1, 2]), of: 4)
        let damaged = stamps
        let error = try await #require(throws: AuditServerError.self) { _ = try await export(damaged, of: 7) }
        #expect("\(error)".contains("the time-stamp of 4 entries of the log is damaged"), "\(error)")
        let checkpoint = try Checkpoint(origin: "log.example/ward", size: 4, root: MerkleHash.empty)
        try stamps.add(SignedCheckpoint(checkpoint, signedBy: [signer]), by: authority)
        let foreign = stamps
        let other = try await #require(throws: AuditServerError.self) { _ = try await export(foreign, of: 7) }
        #expect("\(other)".contains("the database is not what was time-stamped with 4 entries"), "\(other)")
    }

    // MARK: - Thieves

    @Test("a thief who exchanges, cuts, removes or adds a file of the time-stamp is found")
    func thief() async throws {
        let stamps = try await stamps([3, 5])
        for name in [ExportManifest.stampedName, ExportManifest.stampName] {
            let export = try await self.export(stamps, of: 5)
            let whole = try export.bytes(name)
            for bytes in [Data(), whole.dropLast(), whole + Data([0]), whole.prefix(40)] {
                try export.write(bytes, to: name)
                let found = try await export.verified(trusting: authority.trust).problems
                #expect(found.contains { $0.hasPrefix("\(name): it has \(bytes.count) bytes") }, "\(found)")
            }
            try FileManager.default.removeItem(atPath: "\(export.path)/\(name)")
            let found = try await export.verified(trusting: authority.trust).problems
            #expect(found.contains("\(name): it is missing."))
        }
        // Both of another time-stamp of the same log, as an older copy has them.
        let export = try await self.export(stamps, of: 5)
        try put(stamps.files(of: 5), into: export)
        let found = try await export.verified(trusting: authority.trust)
        #expect(found.problems.contains { $0.hasPrefix("time-stamp.checkpoint: its SHA-256 is ") })
        #expect(found.problems.contains { $0.hasSuffix("are not shown to be the same.") })
        #expect(found.provenTime == nil)

        let without = try await self.export([], of: 5)
        try put(stamps.files(of: 3), into: without)
        #expect(
            try without.verified().problems == [
                "time-stamp.checkpoint: the manifest does not name it, so it belongs to no export.",
                "time-stamp.tsr: the manifest does not name it, so it belongs to no export.",
            ]
        )
    }

    @Test("an operator who signs an export with another time-stamp anew is found")
    func signedAnew() async throws {
        let stamps = try await stamps([3, 5])
        func problems(_ change: (SampleExport, inout [String: Any]) throws -> Void) async throws -> [String] {
            let export = try await self.export(stamps, of: 5)
            try export.signAnew { try change(export, &$0) }
            let found = try await export.verified(trusting: authority.trust)
            #expect(found.provenTime == nil)
            return found.problems
        }
        let (three, five) = (try #require(stamps.files(of: 3)), try #require(stamps.files(of: 5)))
        var found = try await problems { export, _ in try put((three.checkpoint, five.reply), into: export) }
        #expect(found == ["time-stamp.tsr: The time-stamp is of other bytes."])

        // The log of somebody else, which an authority has seen as well.
        let other = try EdwardsNoteSigner(name: "log.example/other", algorithm: .ed25519)
        var others = SampleStamps()
        try others.add(await SampleExport.checkpoint(of: store, by: other, size: 3), by: authority)
        found = try await problems { export, _ in try put(others.files(of: 3), into: export) }
        #expect(found == ["time-stamp.checkpoint: The checkpoint is of another log than log.example/ward."])

        // A checkpoint of this log that is not the beginning of it: the operator has the key.
        let leaves = try await store.logEntries(from: 0, limit: 100).map(\.leaf)
        let forked = try Checkpoint(
            origin: "log.example/ward",
            size: 3,
            root: MerkleTree(leaves: leaves.reversed()).root(at: 3)
        )
        try others.add(SignedCheckpoint(forked, signedBy: [signer]), by: authority)
        found = try await problems { export, _ in try put(others.files(of: 3), into: export) }
        #expect(found.count == 1 && found[0].hasSuffix("are not shown to be the same."), "\(found)")

        // Another way, or none, or one that begins at nothing.
        let tree = MerkleTree(leaves: leaves)
        for proof in [
            nil, Self.path(tree.consistencyProof(from: 2, to: 6)), ["first": 0, "second": 6, "path": [String]()],
            ["first": 3, "second": 6, "path": tree.consistencyProof(from: 3, to: 6).path.reversed().map(\.hex)],
        ] as [[String: Any]?] {
            found = try await problems { _, manifest in manifest["consistency"] = proof }
            #expect(found.count == 1 && found[0].hasSuffix("are not shown to be the same."), "\(found)")
        }
        found = try await problems { export, manifest in
            let files = manifest["files"] as? [[String: Any]] ?? []
            manifest["files"] = files.filter { $0["name"] as? String != ExportManifest.stampName }
            try FileManager.default.removeItem(atPath: "\(export.path)/\(ExportManifest.stampName)")
        }
        #expect(
            found == [
                "manifest.json: it names time-stamp.checkpoint alone, which proves no time without the other file."
            ]
        )
    }

    @Test(
        "a true time-stamp that none of the partitions is in, or of an authority that nobody believes, proves nothing"
    )
    func worthless() async throws {
        let stamps = try await stamps([3, 6])
        let tree = MerkleTree(leaves: try await store.logEntries(from: 0, limit: 100).map(\.leaf))
        let export = try await self.export(stamps, of: 9)
        try put(stamps.files(of: 3), into: export)
        try export.signAnew { $0["consistency"] = Self.path(tree.consistencyProof(from: 3, to: 6)) }
        let found = try await export.verified(trusting: authority.trust)
        #expect(found.problems == ["time-stamp.checkpoint: none of the partitions was in the log by then."])

        try PrivateFile.makeFolder(place.file("other"))
        let other = try SampleAuthority(in: place.file("other"), name: "Another Authority")
        let told = try await self.export(stamps, of: 9).verified(trusting: other.trust).problems
        #expect(told.count == 1)
        #expect(told.first?.contains("No certificate that is trusted stands behind the authority") == true, "\(told)")
    }

    // MARK: - The page

    @Test("the page says in words what the time-stamp proves, of what it says nothing, and how to check it")
    func page() async throws {
        func page(_ sizes: [UInt64]) async throws -> String {
            String(decoding: try await export(sizes).bytes(ExportManifest.coverName), as: UTF8.self)
        }
        let whole = try await page([6])
        for text in [
            "<strong>Time-stamp.</strong>", "by the name <bdi>Authority of Time 1</bdi>",
            "It had 6 entries then, and 6 of the 7",
            "Of 1 partition that it existed before the time of the time-stamp", "--authority ROOTS.pem",
            "openssl ts -verify -in time-stamp.tsr -data time-stamp.checkpoint -CAfile ROOTS.pem</code>",
        ] { #expect(whole.contains(text), "\(text)") }
        let none = try await page([])
        #expect(none.contains("no authority of time has signed the log in this export"))
        #expect(!none.contains("--authority") && !none.contains("<strong>Time-stamp.</strong>"))
    }

    @Test("exports of versions 2 and 3 are verified with the page that they had, and the former have no time-stamp")
    func versionTwo() async throws {
        let export = try await self.export([])
        try export.signAnew { $0["version"] = 2 }
        let page = String(decoding: try export.bytes(ExportManifest.coverName), as: UTF8.self)
        #expect(!page.contains("authority of time") && !page.contains("time-stamp"))
        #expect(try export.verified(key: export.key.publicKey).problems == [])
        // The program is the one that these exports had.
        try Data(ExportCover.program(of: 2).utf8).write(to: URL(filePath: place.file("check.py")))
        let digest = try FileDigest(place.file("check.py")).sha256.hex
        #expect(digest == "bd1655f4e6f021e760fd7ca13114d948b5ecd0aceecf9861fd717b3ef2c302e5")
        try export.signAnew { $0["version"] = 3 }
        #expect(try export.verified(key: export.key.publicKey).problems == [])
        try Data(ExportCover.program(of: 3).utf8).write(to: URL(filePath: place.file("check.py")))
        let third = try FileDigest(place.file("check.py")).sha256.hex
        #expect(third == "6b19bb8b90f762d145bb706e793d70485ff74bc53a85422ba3ec677ef5501784")
        try export.signAnew { $0["version"] = 2 }
        let asked = try await export.verified(key: export.key.publicKey, trusting: authority.trust).problems
        #expect(asked.count == 1 && asked.first?.contains("it names no time-stamp") == true)

        let stamped = try await self.export([6])
        try stamped.signAnew { $0["version"] = 2 }
        #expect(try stamped.verified().problems.contains("manifest.json: it names a file that no export has."))
    }
}
