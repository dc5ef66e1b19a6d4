import EventModelTesting
import Foundation
import Testing

@Suite("Removal of the folder of a test")
struct FolderRemovalTests {
    @Test("a folder in which others still make and remove files is gone")
    func shared() async throws {
        let folder = TestFolder()
        // LIVE: the files of others are on the machine's own disk.
        let files = FileManager.default
        let url = URL(fileURLWithPath: folder.path)
        for round in 0..<50 {
            try files.createDirectory(at: url, withIntermediateDirectories: true)
            for number in 0..<20 { try Data().write(to: url.appendingPathComponent("\(number)")) }
            await withTaskGroup { group in
                group.addTask {
                    // Others see no more than that the folder has gone.
                    for number in 0..<40 { try? Data().write(to: url.appendingPathComponent("other \(number)")) }
                    for number in 0..<20 { try? files.removeItem(at: url.appendingPathComponent("\(number)")) }
                }
                group.addTask {
                    #expect(throws: Never.self, "round \(round)") { try files.removeTestFolder(url) }
                }
            }
            #expect(!files.fileExists(atPath: url.path))
        }
    }

    @Test("a folder that cannot be removed is an error")
    func absent() {
        let url = URL(fileURLWithPath: TestFolder().path)
        #expect(throws: CocoaError.self) { try FileManager.default.removeTestFolder(url) }
    }
}
