import EventModelTesting
import Foundation
import Testing

@testable import SyncTransport

@Suite("A file of the owner alone")
struct OwnerFileTests {
    private let folder = TestFolder()

    @Test("what several replace at once is always the whole of what one of them wrote, and nobody fails")
    func replaced() async throws {
        let path = "\(folder.path)/app/accounts.json"
        // Long enough for several writes.
        let texts = (0..<4).map { [UInt8](repeating: UInt8(0x61 + $0), count: 300_000) }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for text in texts {
                // A value of its own, as another process has: the lock is not of the value.
                group.addTask {
                    for _ in 0..<30 {
                        try OwnerFile(path: path).replace(with: text)
                        let read = try OwnerFile(path: path).read()
                        #expect(texts.contains { $0 == read })
                    }
                }
            }
            try await group.waitForAll()
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(!FileManager.default.fileExists(atPath: "\(path).new"))
    }

    @Test("what a process that died has left half written is no obstacle")
    func leftOver() throws {
        let file = OwnerFile(path: "\(folder.path)/accounts.json")
        try file.replace(with: [1])
        try Data([9, 9]).write(to: URL(fileURLWithPath: "\(file.path).new"))

        try file.replace(with: [2, 3])

        #expect(try file.read() == [2, 3])
    }
}
