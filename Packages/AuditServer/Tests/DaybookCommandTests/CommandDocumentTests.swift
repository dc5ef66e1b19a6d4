import ArgumentParser
import Foundation
import Testing

@testable import DaybookCommand

@Suite("The published description of the command")
struct CommandDocumentTests {
    /// What swift-argument-parser says of a command.
    private struct Tool: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }

            let kind: String
            let names: [Name]?
            let valueName: String?
            let abstract: String?
        }

        let commandName: String
        let abstract: String?
        let discussion: String?
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    private static func tool() throws -> Command {
        try JSONDecoder().decode(Tool.self, from: Data(DaybookCommand._dumpHelp().utf8)).command
    }

    /// All commands by the words that call them, those that only group others left out.
    private static func commands() throws -> [String: Command] {
        var found: [String: Command] = [:]
        func collect(_ command: Command, _ path: String) {
            let path = path.isEmpty ? command.commandName : "\(path) \(command.commandName)"
            let inner = (command.subcommands ?? []).filter { $0.commandName != "help" }
            if inner.isEmpty { found[path] = command }
            for command in inner { collect(command, path) }
        }
        collect(try tool(), "")
        return found
    }

    private static func sections() throws -> [String: String] {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let text = try String(contentsOf: package.appending(path: "Docs/COMMAND.md"), encoding: .utf8)
        var sections: [String: String] = [:]
        for section in text.components(separatedBy: "\n## ").dropFirst() where section.hasPrefix("daybook ") {
            let lines = section.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            sections[String(lines[0])] = String(lines.last ?? "")
        }
        return sections
    }

    @Test("the description has a section for every command, and for nothing else")
    func commands() throws {
        #expect(try Set(Self.sections().keys) == Set(Self.commands().keys))
    }

    @Test("a section describes every option of its command, and no other, and has an example")
    func options() throws {
        let sections = try Self.sections()
        for (name, command) in try Self.commands() {
            guard let section = sections[name] else { continue }
            let own = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name))
                .subtracting(["help", "version"])
            // An option stands in a table of its section; examples may call other commands.
            let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `--") }
                .map { $0.split(separator: "|")[0] }
            let described = Set(rows.flatMap { $0.matches(of: #/--([a-z-]+)/#).map { String($0.output.1) } })
            let shared = section.contains("(#where-the-events-are)") ? Self.sourceOptions : []
            let server = section.contains("(#which-server)") ? Self.serverOptions : []
            let filters = section.contains("(#which-events)") ? try Self.filterOptions() : []
            #expect(described.union(shared).union(server).union(filters) == own, "\(name)")
            #expect(section.contains("daybook "), "\(name) has no example")
        }
    }

    private static let sourceOptions: Set<String> = ["files", "key-file", "server", "token", "token-file"]
    private static let serverOptions: Set<String> = ["server", "token", "token-file"]

    /// The filters that the document describes once for all.
    private static func filterOptions() throws -> Set<String> {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let text = try String(contentsOf: package.appending(path: "Docs/COMMAND.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Which events") })
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map { $0.split(separator: "|")[0] }
        return Set(rows.flatMap { $0.matches(of: #/--([a-z-]+)/#).map { String($0.output.1) } })
    }

    @Test("every command has a help that is a sentence")
    func help() throws {
        for (name, command) in try Self.commands() { #expect(command.abstract?.hasSuffix(".") == true, "\(name)") }
    }

    @Test("the help of every command has an example of it, and breaks no line of one in a terminal of 80 columns")
    func examples() throws {
        for (name, command) in try Self.commands() {
            let lines = (command.discussion ?? "").split(separator: "\n").filter { $0.hasPrefix("  ") }
            #expect(lines.contains { $0.hasPrefix("  \(name) ") }, "\(name)")
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(name)")
        }
    }

    @Test("completion scripts are made for each shell", arguments: ["bash", "zsh", "fish"])
    func completion(name: String) throws {
        let shell = try #require(CompletionShell(rawValue: name))
        let script = DaybookCommand.completionScript(for: shell)

        #expect(script.contains("partitions"))
        #expect(script.contains("token-file"))
        #expect(script.contains("director") || script.contains("_files -/") || script.contains(" -d"))
    }
}
