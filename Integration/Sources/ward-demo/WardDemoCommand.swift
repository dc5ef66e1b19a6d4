import ArgumentParser

/// The program behind `Tools/demo`.
@main
struct WardDemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ward-demo",
        abstract:
            "Loads FHIR data into a realm, replays shifts under recording, and reports what became of the events.",
        subcommands: [ReplayCommand.self, ReportCommand.self]
    )
}
