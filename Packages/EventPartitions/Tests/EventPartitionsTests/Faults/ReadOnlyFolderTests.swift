import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Foundation
import Testing

@Suite("Event folders that cannot be written to")
struct ReadOnlyFolderTests {
    @Test("opening says which call failed for what, and what to do", arguments: [EACCES, EROFS, ENOSPC, EDQUOT])
    func opening(code: Int32) throws {
        let fixture = try DiskFixture()
        for operation in [FileSystemError.Operation.makeDirectory, .open, .write] {
            fixture.faulty.fail(operation, at: 1, times: 1000, with: .error(code))
        }

        let error = #expect(throws: PartitionError.self) { try fixture.open() }

        let text = error?.description ?? ""
        #expect(text.contains("/data"))
        #expect(text.hasSuffix(".") && text.contains("error number \(code). "), "\(text)")
        #expect(try fixture.paths() == [])
        fixture.faulty.heal()
        _ = try fixture.open().append([.sample(1)])
    }

    @Test("a folder that becomes read-only fails appends that need a new file, and reading goes on")
    func whileOpen() throws {
        let fixture = try DiskFixture()
        let files = try fixture.open()
        _ = try files.append([.sample(1)])
        try files.seal()
        let partition = try #require(try files.partitions().first?.partition)
        // Opening to read still works where nothing is opened to write.
        fixture.faulty.fail(.write, at: 1, times: 1000, with: .error(EROFS))

        #expect(throws: PartitionError.self) { try files.append([.sample(2)]) }
        #expect(try files.read(partition, from: 1, maximumBytes: .max).events.decoded() == [.sample(1)])

        fixture.faulty.heal()
        _ = try files.append([.sample(3)])
        #expect(try fixture.storedEvents() == [.sample(1), .sample(3)])
    }

    /// Root may write anywhere, so the test asks the system whether it is bound by permissions.
    @Test("a folder without permission to write is refused and stays as it is")
    func permissions() throws {
        let fixture = try FilesFixture()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: fixture.temporary.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: fixture.temporary.path)
        }
        guard access(fixture.temporary.path, W_OK) != 0 else { return }

        let error = #expect(throws: PartitionError.self) { try fixture.open() }

        #expect(error?.description.contains("Let the user that runs this program") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.temporary.path) == [])
    }
}
