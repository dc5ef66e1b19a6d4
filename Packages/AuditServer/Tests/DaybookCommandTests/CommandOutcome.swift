import ArgumentParser
import AuditArchives
import Foundation
import Synchronization
import Testing

@testable import DaybookCommand

/// What a command said, and how it ended.
struct CommandOutcome {
    var output = ""
    var code: Int32 = 0
    var message = ""
    /// What it remarked on stderr while it ran.
    var remarks: [String] = []
    /// The message, with what the parser says of the option and how the command is used.
    var fullMessage = ""

    /// Runs a command as the program does.
    static func of(_ arguments: [String]) async -> CommandOutcome {
        let written = Mutex<[UInt8]>([])
        let remarked = Mutex<[String]>([])
        var outcome = CommandOutcome()
        do {
            let redirection: @Sendable ([UInt8]) -> Void = { bytes in written.withLock { $0 += bytes } }
            let remarks: @Sendable (String) -> Void = { remark in remarked.withLock { $0.append(remark) } }
            try await StandardOutput.$redirection.withValue(redirection) {
                try await StandardOutput.$remarks.withValue(remarks) {
                    var command = try #require(try DaybookCommand.parseAsRoot(arguments) as? any AsyncParsableCommand)
                    try await command.run()
                }
            }
        } catch {
            outcome.code = DaybookCommand.exitCode(for: error).rawValue
            outcome.message = DaybookCommand.message(for: error)
            outcome.fullMessage = DaybookCommand.fullMessage(for: error)
        }
        outcome.remarks = remarked.withLock(\.self)
        outcome.output = String(decoding: written.withLock { $0 }, as: UTF8.self)
        return outcome
    }

    func lines<T: Decodable>(_ type: T.Type) throws -> [T] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}
