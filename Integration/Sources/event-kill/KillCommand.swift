import ArgumentParser

/// `event-kill`: kills processes, and checks what they leave.
@main
struct KillCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "event-kill",
            abstract: "Kills processes at random moments, and checks that nothing promised is lost or stored twice.",
            subcommands: [
                FilesCommand.self, UploadsCommand.self, RealmsCommand.self, LiveCommand.self, FinishCommand.self,
                DeviceCommand.self, SettleCommand.self,
            ],
            defaultSubcommand: FilesCommand.self
        )
    }
}

/// How many processes, and what decides what they do.
struct KillOptions: ParsableArguments {
    @Option(help: "How many processes to kill.")
    var count = 1000

    @Option(help: "Decides what is done and when; drawn and printed if it is missing.")
    var seed: UInt64?

    func validate() throws {
        guard (1...1_000_000).contains(count) else { throw ValidationError("There are 1 to 1000000 processes.") }
    }
}
