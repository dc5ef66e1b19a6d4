import ArgumentParser
import Foundation
import LoadSimulator

/// What every run has: a seed, a folder, the server's program, and as many open files as the system gives.
struct LoadRun {
    /// How many open files a device with an open realm takes at most, its connections with them.
    private static let filesPerDevice = 16

    let seed: UInt64
    let folder: URL
    /// The server.
    let program: URL
    private let files: Int

    /// Draws a seed if there is none, and makes the folder.
    init(seed: UInt64?) throws {
        self.seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        Self.report("The seed is \(self.seed).")
        files = Self.raiseFileLimit()
        // LIVE: the outermost layer.
        folder = FileManager.default.temporaryDirectory.appending(path: "daybook-load-\(getpid())")
        // LIVE: the outermost layer.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "daybook")
    }

    /// How many devices may have their realms open at once.
    var devicesInTheForeground: Int { max(files / Self.filesPerDevice, 1) }

    /// Shows what came of the run, and takes the folder away if nothing was wrong.
    ///
    /// - Throws: `ExitCode.failure` when something was, and what removing the folder throws.
    func end(with outcome: some LoadOutcome, asJSON: Bool) throws {
        print(asJSON ? try outcome.json() : "\(outcome)")
        guard outcome.problems.isEmpty else {
            Self.report("The files are in \(folder.path).")
            throw ExitCode.failure
        }
        // Only a run that found nothing cleans up: the files of another one are what somebody wants to see.
        // LIVE: the outermost layer.
        try FileManager.default.removeItem(at: folder)
    }

    /// Asks for as many open files as the system allows, for this process and the server, which inherits it.
    ///
    /// - Returns: How many there may be.
    private static func raiseFileLimit() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        // Where it is refused, a run with too many devices says that connections fail.
        _ = setrlimit(resource, &limit)
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Shows what is going on beside the result.
    @Sendable static func report(_ sentence: String) {
        FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    }
}
