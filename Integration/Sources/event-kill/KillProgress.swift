import Foundation

/// What a run shows of itself beside its result, and the folder that it works in.
struct KillProgress {
    /// The folder of the run.
    let folder: URL
    let seed: UInt64
    private let count: Int
    private var shown = 0

    /// Draws a seed if there is none, and makes the folder.
    init(_ options: KillOptions) throws {
        seed = options.seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        count = options.count
        // LIVE: the outermost layer.
        folder = FileManager.default.temporaryDirectory.appending(path: "event-kill-\(getpid())")
        // LIVE: the outermost layer.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        Self.report("The seed is \(seed); the files are in \(folder.path).")
    }

    /// Shows every tenth of the way.
    mutating func show(_ killed: Int) {
        guard killed >= shown + max(count / 10, 1) else { return }
        shown = killed
        Self.report("  \(shown) of \(count) killed")
    }

    /// Makes a folder below that of the run.
    func makeFolder(_ name: String) throws -> URL {
        let made = folder.appending(path: name)
        // LIVE: the outermost layer.
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        return made
    }

    /// Takes the folder away.
    ///
    /// Only for a run that found nothing: the files of another one are what somebody wants to see.
    func cleanUp() throws {
        // LIVE: the outermost layer.
        try FileManager.default.removeItem(at: folder)
    }

    private static func report(_ sentence: String) {
        FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    }
}
