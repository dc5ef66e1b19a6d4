import ArgumentParser
import Foundation
import Ward

/// `ward-demo second`: another nurse on another device.
struct SecondCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "second",
        abstract: "Signs each correction of the ward on a second device as it arrives, until a shift ends."
    )

    @Option(help: "The folder of the second device, not that of the first.")
    var out: String

    @OptionGroup var server: ServerOption

    @Option(help: "Where the counts are written as JSON.")
    var summary: String?

    @MainActor
    func run() async throws {
        let device = SecondDevice(folder: URL(fileURLWithPath: out, isDirectory: true), server: server.url)
        try await saying {
            let counts = try await device.run()
            if let summary { try counts.write(to: URL(fileURLWithPath: summary)) }
            guard counts.keptAside.isEmpty else { throw WardError.keptAside(counts.keptAside, folder: out) }
        }
    }
}
