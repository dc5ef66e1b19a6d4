import ArgumentParser

/// `daybook realm`: looks into realm files, without the program that wrote them.
struct RealmCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "realm",
            abstract: "Looks into a realm file, and takes objects out of it or puts them in.",
            discussion: """
                A file describes its own classes, so that the program that wrote it is not needed. Nothing is written to it \
                but by import, also while a program has it open.

                  daybook realm ward.realm
                  daybook realm ward.realm Patient --where "age > 3" --sort name
                  daybook realm export ward.realm Patient --to patients.jsonl
                  daybook realm import patients.jsonl --into copy.realm
                """,
            subcommands: [RealmShowCommand.self, RealmExportCommand.self, RealmImportCommand.self],
            defaultSubcommand: RealmShowCommand.self
        )
    }
}
