import ArgumentParser
import AuditArchives

/// `daybook-verify`: what `daybook verify` does, as a program that can do nothing else.
@main
struct VerifyMain: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        VerifyCommand.configuration(named: "daybook-verify", calledAs: "daybook-verify")
    }

    @OptionGroup var command: VerifyCommand

    func run() async throws { try await command.run() }
}
