import ArgumentParser
import Foundation
import Ward

/// Where the server of a command is.
struct ServerOption: ParsableArguments {
    /// An address that can be asked.
    struct Address: ExpressibleByArgument {
        let url: URL

        init?(argument: String) {
            guard let url = URL(string: argument), url.scheme == "http" || url.scheme == "https", url.host() != nil
            else { return nil }
            self.url = url
        }
    }

    @Option(help: "The address of the server, such as http://127.0.0.1:8080.")
    var server: Address

    /// The address.
    var url: URL { server.url }
}

/// Runs a command's work, and says on standard error what became of it.
///
/// - Throws: An exit code.
@MainActor
func saying(_ work: () async throws -> Void) async throws {
    do {
        try await work()
    } catch let code as ExitCode {
        throw code
    } catch {
        FileHandle.standardError.write(Data("ward-demo: \(WardDemo.sentence(for: error))\n".utf8))
        throw ExitCode.failure
    }
}
