import EventModel
import EventPartitionsTesting
import Foundation
import Testing

@testable import EventPartitions

@Suite("Event files of a newer version")
struct NewerVersionTests {
    let fixture: FilesFixture
    private let path: String
    private let before: [UInt8]

    /// Writes a file, and makes a newer program's of it.
    init() throws {
        fixture = try FilesFixture()
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<3))
        try files.close()
        path = try #require(try fixture.paths().first)
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[7] = 7
        let checksum = bytes[0..<20].withUnsafeBytes { CRC32C.checksum($0) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(20..<24, with: $0) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        before = bytes
    }

    @Test("the reader names both versions and the remedy")
    func reader() throws {
        let error = PartitionError.newerVersion(path: path, found: 7, known: 1)
        #expect(throws: error) { try PartitionFileReader(path) }
        #expect(try PartitionFiles.verify(path).problems == [error])
        #expect(error.description.contains("version 7") && error.description.contains("version 1"))
        #expect(error.description.contains("use a newer one"))
    }

    @Test("the file is listed with the reason and left as it is, and recording goes on")
    func recovery() throws {
        let files = try fixture.open()
        let summary = try #require(try files.partitions().first)
        #expect(summary.quarantineReason?.contains("version 7") == true)
        _ = try files.append([.sample(5)])
        try files.close()
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == before)
        #expect(try fixture.paths().count == 2)
    }

    @Test("a version byte with a wrong checksum is damage, not a newer version")
    func damagedVersion() throws {
        var bytes = before
        bytes[7] = 9
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        guard case .damaged = try PartitionFiles.verify(path).problems.first else {
            Issue.record("The preamble should be reported as damaged.")
            return
        }
    }
}
