#if os(Linux)
import Foundation

@testable import ObjectStore

/// Copies the process, with the calling thread alone.
///
/// The importer does not offer the function, because most programs should start another program instead.
@_silgen_name("fork")
private func forkedProcessId() -> pid_t

/// A copy of the test process that runs a block, at a thousandth of the price of a new process.
///
/// Only for the process of an exit test, where no thread but the sweep of idle versions is at work, and only while no
/// realm is open that the block opens, too.
struct ForkedProcess {
    /// How a process ended.
    enum Ending: Equatable {
        /// By itself, with the block.
        case returned
        /// By itself, with an error of the block, which is in the log.
        case failed
        /// By the system, at the wish of this process or its own.
        case killed
    }

    private let id: pid_t
    private let output: Int32

    /// Starts a copy; it talks to this process through what its block is given.
    ///
    /// The copy ends with the block: with status 0, or 1 after an error.
    init(_ block: (_ parent: ParentProcess) throws -> Void) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "There is no pipe to be had.")
        fflush(nil)
        output = ends[0]
        // A lock that the sweep holds while the process is copied would be held in the copy for ever.
        id = IdleVersions.shared.queue.sync { [ends] in
            let id = forkedProcessId()
            if id == 0 {
                close(ends[0])
                Self.runCopy(block, ParentProcess(input: ends[1]))
            }
            return id
        }
        precondition(id > 0, "The process cannot be copied.")
        close(ends[1])
    }

    private static func runCopy(_ block: (ParentProcess) throws -> Void, _ parent: ParentProcess) -> Never {
        do {
            try block(parent)
            _exit(0)
        } catch {
            FileHandle.standardError.write(Data("The copied process failed: \(error)\n".utf8))
            _exit(1)
        }
    }

    /// Waits for the next number; nil when the process ended.
    func next() -> Int? {
        var number = 0
        let count = withUnsafeMutableBytes(of: &number) { Glibc.read(output, $0.baseAddress, $0.count) }
        return count == MemoryLayout<Int>.size ? number : nil
    }

    /// Ends the process without its knowledge.
    ///
    /// - Returns: The numbers that nobody read before.
    @discardableResult
    func kill() -> [Int] {
        _ = Glibc.kill(id, SIGKILL)
        return finish().reports
    }

    /// Waits until the process ended.
    ///
    /// - Returns: How it ended, and the numbers that nobody read before.
    func finish() -> (ending: Ending, reports: [Int]) {
        var reports: [Int] = []
        while let number = next() { reports.append(number) }
        close(output)
        var status: Int32 = 0
        waitpid(id, &status, 0)
        let ending: Ending = status == 0 ? .returned : status & 0x7F == SIGKILL ? .killed : .failed
        return (ending, reports)
    }
}
#endif
