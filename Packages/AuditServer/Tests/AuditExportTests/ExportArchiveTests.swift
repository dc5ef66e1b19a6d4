import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@testable import AuditModel
@testable import AuditVerifying

@Suite("An export as one file")
struct ExportArchiveTests {
    private let export: SampleExport
    private let zip: String

    init() async throws {
        export = try await SampleExport(SampleExport.store())
        zip = export.folder.file("ada.zip")
        try ExportArchive.write(export.path, to: zip)
    }

    private func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: zip))) }

    /// Why an archive of these bytes is refused; nil when it is not.
    private func refusal(_ bytes: [UInt8]) throws -> String? {
        let path = export.folder.file("changed.zip")
        try Data(bytes).write(to: URL(filePath: path))
        do throws(AuditServerError) {
            _ = try UnpackedFolder(of: path)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "an export comes out of its archive as it went in, the archive has the same bytes each time, and nothing is left"
    )
    func whole() throws {
        let again = export.folder.file("again.zip")
        try ExportArchive.write(export.path, to: again)
        #expect(try Data(contentsOf: URL(filePath: again)) == Data(bytes()))
        #expect(ExportArchive.isOne(zip) && !ExportArchive.isOne(export.path))
        #expect(!ExportArchive.isOne("\(export.path)/manifest.json"))

        var unpacked: UnpackedFolder? = try UnpackedFolder(of: zip)
        let path = try #require(unpacked?.path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        let stamps = [ExportManifest.stampedName, ExportManifest.stampName]
        #expect(names == ExportArchive.names.filter { !stamps.contains($0) }.sorted())
        for name in names {
            #expect(try Data(contentsOf: URL(filePath: "\(path)/\(name)")) == export.bytes(name))
        }
        unpacked = nil
        #expect(!PrivateFile.exists(path))
        #expect(throws: AuditServerError.self) { try ExportArchive.write(export.path, to: zip) }
    }

    @Test("the checksum is the one of ISO 3309")
    func checksum() {
        var crc = CRC32()
        #expect(crc.value == 0)
        crc.add(Array("1234".utf8))
        crc.add(Array("56789".utf8))
        #expect(crc.value == 0xCBF4_3926)
    }

    @Test("whatever bit is changed or cut off, the archive is refused")
    func changed() throws {
        let whole = try bytes()
        var random = SeededGenerator(seed: 21)
        let headers = whole.count - 1200..<whole.count
        for round in 0..<120 {
            var changed = whole
            let place = round < 60 ? headers.lowerBound + random.below(headers.count) : random.below(whole.count)
            changed[place] ^= UInt8(1 << random.below(8))
            #expect(try refusal(changed) != nil, "byte \(place)")
        }
        for count in [0, 3, 21, 22, whole.count / 2, whole.count - 1] {
            #expect(try refusal(Array(whole.prefix(count))) != nil, "\(count) bytes")
        }
        #expect(try refusal(whole + [0]) != nil)
        #expect(try refusal([0] + whole) != nil)
        let changed = try refusal(whole.replacing("emergency".utf8, with: "emergencx".utf8, maxReplacements: 1))
        #expect(changed?.contains("the checksum of events.csv in it is wrong") == true)
    }

    @Test("names that lead out of the folder, files that no export has, and files that are there twice are refused")
    func names() throws {
        let whole = try bytes()
        let foreign = "it is no zip of 'daybook export'"
        for name in ["../../etc/x", "/etc/cron.d", "events.cs\u{0}", "EVENTS.CSV", "proofs.jso"] {
            let changed = whole.replacing("events.csv".utf8, with: name.utf8.prefix(10))
            #expect(try refusal(changed)?.contains(foreign) == true, "\(name)")
        }
        // The first file twice, each with headers that fit.
        let entry = ExportArchive.Entry(name: "checkpoint", crc: 0, size: 0, offset: 0)
        let second = ExportArchive.Entry(name: "checkpoint", crc: 0, size: 0, offset: 40)
        let twice =
            entry.local + second.local + entry.central + second.central
            + ExportArchive.Entry.end(2, from: 80, bytes: UInt32(entry.central.count * 2))
        #expect(try refusal(twice)?.contains(foreign) == true)
        let once =
            entry.local + entry.central + ExportArchive.Entry.end(1, from: 40, bytes: UInt32(entry.central.count))
        #expect(try refusal(once) == nil)
        // Sizes that add up to more than there is.
        let huge = ExportArchive.Entry(name: "checkpoint", crc: 0, size: .max - 100, offset: 0)
        let bomb = huge.local + huge.central + ExportArchive.Entry.end(1, from: 40, bytes: UInt32(huge.central.count))
        #expect(try refusal(bomb)?.contains(foreign) == true)
    }
}
