import ArgumentParser

/// `load-simulator`: many devices over bad networks, one server, and a check of what all of them have in the end.
@main
struct LoadCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "load-simulator",
            abstract: "Simulates devices over bad networks, and checks what they and the server have in the end.",
            subcommands: [EventsLoadCommand.self, RealmsLoadCommand.self],
            defaultSubcommand: EventsLoadCommand.self
        )
    }
}

/// How much load there is, and what decides what happens.
struct LoadRunOptions: ParsableArguments {
    @Option(help: "How many devices there are.")
    var devices = 1000

    @Option(help: "For how many seconds they work.")
    var seconds = 60.0

    @Option(help: "Decides what is done and what goes wrong; drawn and printed if it is missing.")
    var seed: UInt64?

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    func validate() throws {
        guard (1...20_000).contains(devices) else { throw ValidationError("There are 1 to 20000 devices.") }
        guard seconds > 0, seconds <= 86_400 else {
            throw ValidationError("It takes more than 0 seconds, and a day at most.")
        }
    }
}
