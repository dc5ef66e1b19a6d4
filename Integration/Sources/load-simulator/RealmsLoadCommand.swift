import ArgumentParser
import LoadSimulator

/// `load-simulator realms`: devices that share realms.
struct RealmsLoadCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "realms",
            abstract: "Simulates devices that share realms over bad networks, and compares them in the end."
        )
    }

    @OptionGroup var options: LoadRunOptions

    @Option(help: "How many realms they share; a tenth of the devices if it is missing.")
    var realms: Int?

    @Option(help: "How many have their realm open at once; as many as the system has files for if it is missing.")
    var foreground: Int?

    @Option(
        help: "The longest rest between two steps of a device, in milliseconds; with 0 its network comes back at once."
    )
    var rest = 4000

    @Option(help: "For how many seconds the server keeps entries while they work; devices that are behind begin anew.")
    var history: Double?

    func validate() throws {
        guard (1...options.devices).contains(realms ?? 1) else {
            throw ValidationError("There is one realm or more, and a device or more for each.")
        }
        guard (0...3_600_000).contains(rest) else { throw ValidationError("A rest is an hour at most.") }
        guard (history ?? 0) >= 0 else { throw ValidationError("Entries are kept for 0 seconds or more.") }
        guard (foreground ?? 1) > 0 else { throw ValidationError("One device or more is in the foreground.") }
    }

    func run() async throws {
        let run = try LoadRun(seed: options.seed)
        let report = try await RealmLoadSimulation(
            options: RealmLoadOptions(
                devices: options.devices,
                realms: realms ?? max(options.devices / 10, 1),
                foreground: foreground ?? run.devicesInTheForeground,
                seconds: options.seconds,
                restMilliseconds: rest,
                historySeconds: history,
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
