public import ArgumentParser
import AuditArchives

/// The command `daybook`: the server, and what an auditor asks it or local files.
public struct DaybookCommand: AsyncParsableCommand {
    /// The name, the help and the subcommands.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "daybook",
            abstract: "Stores, shows and proves what a user saw and did.",
            discussion: """
                Start a server and read from it:

                  daybook serve --data ./daybook-data --port 8080
                  daybook events --server http://127.0.0.1:8080 \\
                      --token-file ./daybook-data/auditor.token

                Or read the event files of a device, without any server:

                  daybook events --files ./ward --follow
                  daybook show ID --files ./ward
                  daybook verify --files ./ward

                Or look into a realm file, without its program:

                  daybook realm ward.realm

                Your shell completes commands, options and files after one of these:

                  daybook --generate-completion-script bash \\
                      > ~/.local/share/bash-completion/completions/daybook
                  daybook --generate-completion-script zsh \\
                      > "${fpath[1]}/_daybook"
                  daybook --generate-completion-script fish \\
                      > ~/.config/fish/completions/daybook.fish
                """,
            version: ReleaseText.text,
            subcommands: [
                ServeCommand.self, EventsCommand.self, ShowCommand.self, VerifyCommand.self, PartitionsCommand.self,
                SchemaCommand.self, ObjectsCommand.self, EntriesCommand.self,
                ExportCommand.self, BackupCommand.self, UsersCommand.self, TokenCommand.self,
                DevicesCommand.self, AlertsCommand.self,
                ReviewsCommand.self,
                RealmCommand.self, HoldCommand.self, EraseCommand.self, ErasuresCommand.self, RetentionCommand.self,
                WitnessCommand.self,
            ]
        )
    }

    /// Creates the command.
    public init() {}
}
