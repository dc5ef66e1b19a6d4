import Foundation
import Synchronization

/// The most files, threads and memory that this process was seen with.
final class ProcessFigures: Sendable {
    private struct Most {
        var files = 0
        var threads = 0
        var looks = 0
    }

    /// How many devices open their realm between two looks, which take milliseconds where many files are open.
    private static let rest = 32

    private let most = Mutex(Most())

    /// Looks at the process now and then, when a device opened its realm.
    func didOpen() {
        let isDue = most.withLock { most in
            most.looks += 1
            return most.looks % Self.rest == 1
        }
        guard isDue else { return }
        let (files, threads) = (Self.openFiles, Self.status("Threads:") ?? 0)
        most.withLock { most in
            most.files = max(most.files, files)
            most.threads = max(most.threads, threads)
        }
    }

    /// The most open files and connections; nil where the system does not say.
    var files: Int? { most.withLock { $0.files > 0 ? $0.files : nil } }
    /// The most threads; nil where the system does not say.
    var threads: Int? { most.withLock { $0.threads > 0 ? $0.threads : nil } }
    /// The most memory, in megabytes; nil where the system does not say.
    var megabytes: Double? { Self.status("VmHWM:").map { Double($0) * 1024 / 1_000_000 } }

    private static var openFiles: Int {
        // LIVE: the process's own figures; where the system has none, none are told.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    private static func status(_ name: String) -> Int? {
        // LIVE: as above.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
}
