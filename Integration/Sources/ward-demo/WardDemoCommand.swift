import ArgumentParser

/// The program behind `Tools/demo`.
@main
struct WardDemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ward-demo",
        abstract:
            "Loads FHIR data into a realm, replays shifts on two devices under recording, and reports what became of it.",
        subcommands: [ReplayCommand.self, SecondCommand.self, CompareCommand.self, ReportCommand.self]
    )
}
