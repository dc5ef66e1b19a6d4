import ArgumentParser
import Foundation
import LoadSimulator

/// `load-simulator`: many devices over bad networks, one server, and a check of all that was acknowledged.
@main
struct LoadCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "load-simulator",
            abstract: "Simulates devices that upload over bad networks, and checks what the server has in the end."
        )
    }

    @Option(help: "How many devices there are.")
    var devices = 1000

    @Option(help: "How many attack the server beside them: passwords, stolen tokens, foreign pages, odd stretches.")
    var attackers = 0

    @Option(help: "For how many seconds they record.")
    var seconds = 60.0

    @Option(help: "Decides what is recorded and what goes wrong; drawn and printed if it is missing.")
    var seed: UInt64?

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    func validate() throws {
        guard (1...20_000).contains(devices) else { throw ValidationError("There are 1 to 20000 devices.") }
        guard (0...1000).contains(attackers) else { throw ValidationError("There are 0 to 1000 attackers.") }
        guard seconds > 0, seconds <= 86_400 else {
            throw ValidationError("It takes more than 0 seconds, and a day at most.")
        }
    }

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        Self.report("The seed is \(seed).")
        Self.raiseFileLimit()
        // LIVE: the outermost layer.
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-load-\(getpid())")
        // LIVE: the outermost layer.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "daybook")
        let report = try await LoadSimulation(
            options: LoadOptions(devices: devices, attackers: attackers, seconds: seconds, seed: seed),
            program: program,
            folder: folder,
            progress: Self.report
        )
        .run()
        print(json ? try report.json() : "\(report)")
        guard report.problems.isEmpty else {
            Self.report("The files of the server are in \(folder.path).")
            throw ExitCode.failure
        }
        // Only a run that found nothing cleans up: the files of another one are what somebody wants to see.
        // LIVE: the outermost layer.
        try FileManager.default.removeItem(at: folder)
    }

    /// Asks for as many open files as the system allows, for this process and the server, which inherits it.
    private static func raiseFileLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        // Where it is refused, a run with too many devices says that connections fail.
        _ = setrlimit(resource, &limit)
    }

    /// Shows what is going on beside the result.
    @Sendable private static func report(_ sentence: String) {
        FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    }
}
