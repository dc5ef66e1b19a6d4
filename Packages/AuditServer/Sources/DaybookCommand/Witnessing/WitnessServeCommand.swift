import ArgumentParser
import AuditArchives
import AuditHTTP
import EventModel
import LogWitness

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `daybook witness serve`: answers to logs over HTTP.
struct WitnessServeCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Cosigns checkpoints over HTTP until Control-C.",
            discussion: """
                Logs send their checkpoints with POST to /add-checkpoint, as tlog-witness of C2SP has it. There is no TLS: where logs ask from \
                other machines, put a proxy in front.

                  daybook witness serve w1.json --address 127.0.0.1:8081

                It ends when it gets SIGINT (Control-C) or SIGTERM.
                """
        )
    }

    @OptionGroup var witness: WitnessFileArgument

    @Option(help: "The address and port to listen on; 127.0.0.1:0, the default, is any free port.")
    var address: String?

    @Option(help: "What stands in front of /add-checkpoint, such as /w1; nothing by default.")
    var prefix: String?

    func validate() throws {
        _ = try place()
        guard let prefix else { return }
        guard prefix.isEmpty || (prefix.hasPrefix("/") && !prefix.hasSuffix("/")) else {
            throw ValidationError("--prefix begins with a slash and does not end with one.")
        }
    }

    func run() async throws {
        let (host, port) = try place()
        // LIVE: the clock whose time the cosignatures state.
        let keeper = try WitnessKeeper(WitnessFile(at: witness.path), clock: SystemClock())
        let server = WitnessServer(keeper, host: host, port: port, prefix: prefix ?? "")
        try await server.run { [prefix] port in
            let shown = host.contains(":") ? "[\(host)]" : host
            StandardOutput.write(
                "listening on http://\(shown):\(port)\(prefix ?? "")\ncosignatures are made by \(keeper.verifierKey)\n"
            )
        }
    }

    private func place() throws -> (host: String, port: Int) {
        let address = address ?? "127.0.0.1:0"
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]),
            (0...65_535).contains(port)
        else { throw ValidationError("--address is an address and a port, such as 127.0.0.1:8081.") }
        var host = String(address[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else {
            throw ValidationError("--address is an address and a port, such as 127.0.0.1:8081.")
        }
        return (host, port)
    }
}

extension WitnessFileArgument {
    /// The absolute path of the file.
    var path: String { URL(filePath: file).standardizedFileURL.path }
}
