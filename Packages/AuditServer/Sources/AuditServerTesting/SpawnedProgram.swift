import AuditModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A program of the system that runs to its end while a test waits.
///
/// Through `posix_spawn`, and not Foundation's `Process`: on Linux that one has crashed in `run()`, a copy beyond its memory, when many
/// programs are started beside other threads.
public enum SpawnedProgram {
    /// How a program ended.
    public struct Outcome: Sendable {
        /// Its exit status, or 128 and the number of the signal that ended it.
        public let status: Int32
        /// What it wrote on stderr.
        public let errors: String
    }

    /// Runs a program that is found in `PATH`, with nothing on stdin and what it writes on stdout thrown away.
    ///
    /// - Parameters:
    ///   - arguments: Its name, and what it is given.
    ///   - file: A file for its stderr, which is replaced.
    /// - Returns: How it ended.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when there is no such program.
    public static func run(_ arguments: [String], errorsIn file: String) throws -> Outcome {
        let name = arguments.first ?? ""
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for argument in vector { free(argument) } }
        var child = pid_t()
        let failure = posix_spawnp(&child, name, &actions, nil, &vector, environ)
        guard failure == 0 else {
            throw AuditServerError.inaccessible(path: name, reason: String(cString: strerror(failure)))
        }
        var state: Int32 = 0
        while waitpid(child, &state, 0) == -1 {
            guard errno == EINTR else {
                throw AuditServerError.inaccessible(path: name, reason: String(cString: strerror(errno)))
            }
        }
        let signal = state & 0x7F
        let errors = try PrivateFile.read(file, upTo: 65_536) ?? []
        return Outcome(
            status: signal == 0 ? (state >> 8) & 0xFF : 128 + signal,
            errors: String(decoding: errors, as: UTF8.self)
        )
    }
}
