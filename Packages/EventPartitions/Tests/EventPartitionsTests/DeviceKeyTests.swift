import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@Suite("DeviceKey")
struct DeviceKeyTests {
    let folder: TestFolder
    let files = POSIXFileSystem()

    init() throws {
        folder = try TestFolder.made()
    }

    var path: String { folder.path + "/device.key" }

    @Test("the first call makes a key that only its owner may read, the next ones load it")
    func created() throws {
        let key = try DeviceKey.loadOrCreate(at: path, in: files)

        let again = try DeviceKey.loadOrCreate(at: path, in: files)

        #expect(again.publicKey == key.publicKey)
        #expect(try files.status(path) == FileStatus(kind: .file, size: 32, permissions: 0o600))
    }

    @Test("callers that arrive together get one key")
    func concurrent() async throws {
        let path = path
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 {
                group.addTask { try DeviceKey.loadOrCreate(at: path, in: POSIXFileSystem()).publicKey }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }

        #expect(keys.count == 1)
    }

    @Test("a key that others may read is refused")
    func readableByOthers() throws {
        _ = try DeviceKey.loadOrCreate(at: path, in: files)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)

        #expect(throws: ProofError.keyMalformed(path: path, reason: "others than its owner may use it")) {
            try DeviceKey.loadOrCreate(at: path, in: files)
        }
    }

    @Test("a file of another size is refused and kept", arguments: [0, 31, 33])
    func wrongSize(count: Int) throws {
        let bytes = Data(repeating: 1, count: count)
        #expect(FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))

        #expect(throws: ProofError.keyMalformed(path: path, reason: "it does not hold exactly 32 bytes")) {
            try DeviceKey.loadOrCreate(at: path, in: files)
        }
        #expect(FileManager.default.contents(atPath: path) == bytes)
    }

    @Test(
        "a crash while the key is made leaves no half key",
        arguments: [FileSystemError.Operation.write, .synchronize, .rename]
    )
    func interrupted(operation: FileSystemError.Operation) throws {
        let faulty = FaultInjectingFileSystem(files)
        faulty.fail(operation, at: 1, with: operation == .write ? .tornWrite(bytes: 5, code: EIO) : .error(EIO))
        #expect(throws: ProofError.self) { try DeviceKey.loadOrCreate(at: path, in: faulty) }

        let key = try DeviceKey.loadOrCreate(at: path, in: faulty)

        #expect(try DeviceKey.loadOrCreate(at: path, in: files).publicKey == key.publicKey)
    }
}
