import AuditServerTesting
import EventModel
import EventProofs
import Foundation

/// `Tools/lib/tiles.py`, which was written from the specifications of C2SP alone, over what a bucket has.
struct CopyReader {
    let key: NoteVerifierKey

    /// Whether there is a Python to read with.
    static let isThere = (try? SpawnedProgram.run(["python3", "--version"], errorsIn: "/dev/null"))?.status == 0

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Tools/lib/tiles.py").standardizedFileURL.path

    /// Writes a copy into an empty folder, and returns whether it is read and found good.
    func verifies(_ objects: [String: SampleBucket.Object], in folder: String) throws -> Bool {  // TEXT: names of ours.
        let files = POSIXFileSystem()
        for (name, object) in objects {
            try files.makeDirectory(FilePaths.parent(of: "\(folder)/\(name)"))
            try files.replaceFile(at: "\(folder)/\(name)", with: object.bytes)
        }
        let arguments = ["python3", Self.script, folder, key.description]
        return try SpawnedProgram.run(arguments, errorsIn: "\(folder)/errors").status == 0
    }
}
