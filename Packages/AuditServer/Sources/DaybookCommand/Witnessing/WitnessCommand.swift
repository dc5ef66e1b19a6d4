import ArgumentParser
import AuditArchives
import EventModel
import EventProofs
import LogWitness

/// `daybook witness`: a witness of transparency logs.
struct WitnessCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "witness",
            abstract: "Cosigns the checkpoints of logs, so that nobody shows two histories.",
            discussion: """
                A witness is one file with a key and what it saw of each log. It cosigns a checkpoint only when nothing that it saw before \
                was changed:

                  daybook witness init w1.json --name witness.example/w1
                  daybook witness add-log w1.json VKEY
                  daybook witness serve w1.json --address 127.0.0.1:8081
                """,
            subcommands: [
                WitnessInitCommand.self, WitnessAddLogCommand.self, WitnessServeCommand.self, WitnessShowCommand.self,
            ]
        )
    }
}

/// The file that a command of a witness is about.
struct WitnessFileArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The file of the witness.", valueName: "file"), completion: .file())
    var file: String
}

/// `daybook witness init`.
struct WitnessInitCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "init",
            abstract: "Makes a witness with a new key.",
            discussion: """
                Prints the public key, which logs and clients are told. Only you can read the file; whoever has it can cosign anything.

                  daybook witness init w1.json --name witness.example/w1
                """
        )
    }

    @OptionGroup var witness: WitnessFileArgument

    @Option(help: "Its name: a URL without scheme by recommendation, without spaces and plus signs.")
    var name: String

    func run() async throws {
        let key = try WitnessFile.create(at: witness.path, name: ExactText(name))
        StandardOutput.write("\(key)\n")
    }
}

/// `daybook witness add-log`.
struct WitnessAddLogCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add-log",
            abstract: "Adds a log by its key, or another key to a log.",
            discussion: """
                The key is a vkey: name+id+key, as the log publishes it. Stop the witness before.

                  daybook witness add-log w1.json VKEY
                  daybook witness add-log w1.json VKEY --origin log.example/2026
                """
        )
    }

    @OptionGroup var witness: WitnessFileArgument

    @Argument(help: ArgumentHelp("The public key of the log.", valueName: "vkey"))
    var key: String

    @Option(help: "The log's origin; the name of the key by default.")
    var origin: String?

    func run() async throws {
        let key = try NoteVerifierKey(parsing: key)
        let file = try WitnessFile(at: witness.path)
        var contents = try file.contents()
        try contents.witness.add(key, origin: origin.map { ExactText($0) })
        try file.write(contents)
        StandardOutput.write("\(PlainText.cut(origin ?? key.name.string, 200)) is known.\n")
    }
}

/// `daybook witness show`.
struct WitnessShowCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Shows the key of a witness and what it saw of each log.",
            discussion: """
                A log that signed two checkpoints of one size with different roots showed two histories: both are printed, and anybody who \
                has the log's key can check that.

                  daybook witness show w1.json
                """
        )
    }

    @OptionGroup var witness: WitnessFileArgument

    func run() async throws {
        let contents = try WitnessFile.contents(at: witness.path)
        var output = BufferedOutput()
        defer { output.flush() }
        output.append("\(contents.signer.verifierKey)\n")
        for log in contents.witness.logs {
            output.append("\n\(PlainText.cut(log.origin.string, 200))\n")
            for key in log.keys { output.append("  key  \(key)\n") }
            guard let time = log.cosigned else {
                output.append("  nothing was cosigned yet\n")
                continue
            }
            output.append("  size \(log.size), root \(log.root), cosigned at \(time)\n")
            guard let contradiction = log.contradiction else { continue }
            output.append("  it showed two histories:\n\n")
            for signed in [contradiction.cosigned, contradiction.shown] {
                output.append(String(decoding: signed.note.bytes, as: UTF8.self) + "\n")
            }
        }
    }
}
