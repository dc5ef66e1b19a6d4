package import ArgumentParser
import EventProofs

/// What `daybook verify` is told to verify a proof of a log with.
package struct LogProofOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The proof of one partition in a log, as /api/v1/log/proof answers.", valueName: "file"),
        completion: .file()
    )
    package var logProof: String?

    @Option(
        help: ArgumentHelp("What a device kept of a log that contradicts itself.", valueName: "file"),
        completion: .file()
    )
    package var logContradiction: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "The key of the log: 'logKey' of /api/v1/key, from elsewhere; once for each key that it had, the one of now first.",
            valueName: "vkey"
        )
    )
    package var logKey: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("The key of a witness that you believe; may be given several times.", valueName: "vkey")
    )
    package var witness: [String] = []

    @Option(help: ArgumentHelp("How many witnesses have to have cosigned; more than half by default.", valueName: "n"))
    package var quorum: Int?

    package init() {}

    package func validate() throws {
        guard logProof == nil || logContradiction == nil else {
            throw ValidationError("A proof and a contradiction are verified one after the other.")
        }
        if logProof == nil, logContradiction == nil, logKey.isEmpty {
            guard witness.isEmpty, quorum == nil else {
                throw ValidationError("--witness and --quorum need --log-key: whose witnesses they are.")
            }
            return
        }
        _ = try policy()
    }

    /// Whether no file is named here.
    var isEmpty: Bool { logProof == nil && logContradiction == nil }

    /// Whose word the published checkpoint of a server, or that in an export, needs; nil when nobody asks for it.
    func serverPolicy() throws -> WitnessPolicy? { logKey.isEmpty ? nil : try policy() }

    /// Whose word the checkpoint of the proof needs.
    ///
    /// - Throws: `ValidationError` when a key is missing or none, or the quorum cannot be.
    func policy() throws -> WitnessPolicy {
        guard !logKey.isEmpty else {
            let option = logContradiction == nil ? "--log-proof" : "--log-contradiction"
            throw ValidationError("\(option) needs --log-key: whose signature is believed is for you to say.")
        }
        do throws(ProofError) {
            return try WitnessPolicy(
                logKeys: Self.keys(logKey),
                witnesses: Self.keys(witness),
                quorum: quorum ?? (witness.isEmpty ? 0 : witness.count / 2 + 1)
            )
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private static func keys(_ texts: [String]) throws(ProofError) -> [NoteVerifierKey] {
        var keys: [NoteVerifierKey] = []
        for text in texts { keys.append(try NoteVerifierKey(parsing: text)) }
        return keys
    }
}
