import ArgumentParser
import LoadSimulator

/// `load-simulator events`: devices that upload events.
struct EventsLoadCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "events",
            abstract: "Simulates devices that upload over bad networks, and checks what the server has in the end."
        )
    }

    @OptionGroup var options: LoadRunOptions

    @Option(help: "How many attack the server beside them: passwords, stolen tokens, foreign pages, odd stretches.")
    var attackers = 0

    func validate() throws {
        guard (0...1000).contains(attackers) else { throw ValidationError("There are 0 to 1000 attackers.") }
    }

    func run() async throws {
        let run = try LoadRun(seed: options.seed)
        let report = try await LoadSimulation(
            options: LoadOptions(
                devices: options.devices,
                attackers: attackers,
                seconds: options.seconds,
                seed: run.seed
            ),
            program: run.program,
            folder: run.folder,
            progress: LoadRun.report
        )
        .run()
        try run.end(with: report, asJSON: options.json)
    }
}
