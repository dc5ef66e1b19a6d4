import EventModel
public import EventProofs
import Foundation

/// `Tools/lib/tiles.py`, which was written from the specifications of C2SP alone, over what a bucket has.
public struct CopyReader: Sendable {
    private let key: NoteVerifierKey

    /// Names the log by its key.
    public init(key: NoteVerifierKey) {
        self.key = key
    }

    /// Whether there is a Python to read with.
    public static let isThere =
        (try? SpawnedProgram.run(["python3", "--version"], errorsIn: "/dev/null"))?.status == 0

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Tools/lib/tiles.py").standardizedFileURL.path

    /// Writes a copy into an empty folder, and returns whether it is read and found good.
    ///
    /// - Parameters:
    ///   - objects: The bytes of its files by their names.
    ///   - folder: The folder.
    /// - Returns: Whether it is whole, and signed.
    /// - Throws: What the system throws when a file cannot be written, or there is no Python.
    public func verifies(_ objects: [String: [UInt8]], in folder: String) throws -> Bool {  // TEXT: names of ours.
        let files = POSIXFileSystem()
        for (name, bytes) in objects {
            try files.makeDirectory(FilePaths.parent(of: "\(folder)/\(name)"))
            try files.replaceFile(at: "\(folder)/\(name)", with: bytes)
        }
        let arguments = ["python3", Self.script, folder, key.description]
        return try SpawnedProgram.run(arguments, errorsIn: "\(folder)/errors").status == 0
    }
}
