import EventModelTesting
import Foundation

/// Where a simulation of a test works: a folder of its own, and the server that was built with the tests.
struct SimulationFolder {
    let url: URL
    /// The program `daybook`.
    let program: URL

    /// Makes a folder, and removes it when the body has ended.
    ///
    /// - Returns: What the body returns.
    static func with<Result>(_ body: (SimulationFolder) async throws -> Result) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "daybook-load-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "daybook")
        do {
            let result = try await body(SimulationFolder(url: url, program: program))
            try FileManager.default.removeTestFolder(url)
            return result
        } catch {
            try FileManager.default.removeTestFolder(url)
            throw error
        }
    }
}
