import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What can go wrong with a cluster, beside what is checked.
enum FailoverError: Error {
    /// Thrown when the cluster has no primary with a standby and a third node for two minutes.
    case notWhole
    /// Thrown when nothing was acknowledged for a minute after a kill.
    case standstill
    /// Thrown when the process of a node cannot be found.
    case unknownProcess(node: String)
}

/// The three nodes that `Tools/cluster` starts.
struct PatroniCluster: Sendable {
    /// What Patroni says of a node.
    struct Member: Decodable {
        let name: String
        let role: String
        let state: String
        let timeline: Int?
    }

    private struct Answer: Decodable {
        let members: [Member]
    }

    let folder: String
    let firstPort: Int

    /// The connection string with all nodes, of which libpq takes the primary.
    var address: String {
        let ports = (7...9).map { String(firstPort + $0) }.joined(separator: ",")
        return "host=127.0.0.1,127.0.0.1,127.0.0.1 port=\(ports) user=daybook dbname=postgres connect_timeout=2"
    }

    /// The node that takes writes, or nil.
    func leader() async throws -> Member? {
        await members().first { $0.role == "leader" }
    }

    /// Waits until there is a primary, a synchronous standby, and a third node that follows, too.
    func waitUntilWhole() async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(120))
        while ContinuousClock.now < end {
            let members = await members()
            let isWhole =
                members.count == 3 && members.allSatisfy { ["running", "streaming"].contains($0.state) }
                && Set(members.map(\.timeline)).count == 1 && members.contains { $0.role == "leader" }
                && members.contains { $0.role == "sync_standby" }
            if isWhole { return }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw FailoverError.notWhole
    }

    /// Kills the primary, all that serves its connections, and its Patroni, as a power cut of its machine would.
    ///
    /// A connection whose postmaster is gone may answer one more upload before it notices: that is no failover.
    ///
    /// - Returns: The name of the node.
    /// - Throws: ``FailoverError/notWhole`` when there is none.
    func killLeader() async throws -> String {
        guard let leader = try await leader() else { throw FailoverError.notWhole }
        let patroni = try process("\(leader.name).pid", of: leader.name)
        let postmaster = try process("\(leader.name)/postmaster.pid", of: leader.name)
        _ = Foundation.kill(patroni, SIGKILL)
        // Stopped first, so that it starts nobody who is missed.
        _ = Foundation.kill(postmaster, SIGSTOP)
        for child in try children(of: postmaster) { _ = Foundation.kill(child, SIGKILL) }
        _ = Foundation.kill(postmaster, SIGKILL)
        return leader.name
    }

    private func process(_ file: String, of node: String) throws -> pid_t {
        let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        guard let process = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
            throw FailoverError.unknownProcess(node: node)
        }
        return process
    }

    /// Returns the processes that a process started, as `/proc` lists them; those that end meanwhile are left out.
    private func children(of parent: pid_t) throws -> [pid_t] {
        // LIVE: the processes of this machine are what is asked for.
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
            .filter { process in
                // The name of the program, in brackets, may hold anything; its state and its parent come behind.
                guard let stat = files.contents(atPath: "/proc/\(process)/stat"),
                    let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
                else { return false }
                return fields.dropFirst().first.flatMap { pid_t($0) } == parent
            }
    }

    /// Starts a node again; it follows the new primary.
    func start(_ node: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["\(folder)/start-node", String(node.suffix(1))]
        // Not waited for: to Foundation the shell has not ended before the node has, which is its child.
        try process.run()
    }

    /// Asks the nodes one after the other what there is; nothing when none answers.
    private func members() async -> [Member] {
        for port in 4...6 {
            guard let url = URL(string: "http://127.0.0.1:\(firstPort + port)/cluster") else { continue }
            var request = URLRequest(url: url)
            request.timeoutInterval = 2
            do {
                let (body, _) = try await URLSession.shared.data(for: request)
                return try JSONDecoder().decode(Answer.self, from: body).members
            } catch {
                // A node that was killed or is starting; the next one knows the same.
                continue
            }
        }
        return []
    }
}
