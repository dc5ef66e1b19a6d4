import ArgumentParser
import Foundation
import Ward

/// `ward-demo compare`: whether two devices hold the same.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Waits until two devices have what the other wrote, and compares their charts object by object."
    )

    @Argument(help: "The folders of two devices that no process uses now.")
    var folders: [String]

    @OptionGroup var server: ServerOption

    @Option(help: "Where the outcome is written as JSON.")
    var summary: String?

    func validate() throws {
        guard Set(folders).count == 2, folders.count == 2 else {
            throw ValidationError("Two folders are compared, each of another device.")
        }
    }

    @MainActor
    func run() async throws {
        let comparison = ChartComparison(
            folders.map { URL(fileURLWithPath: $0, isDirectory: true) },
            server: server.url
        )
        try await saying {
            let outcome = try await comparison.run()
            if let summary { try outcome.write(to: URL(fileURLWithPath: summary)) }
            guard outcome.differences.isEmpty else { throw ExitCode.failure }
        }
    }
}
