#if os(Linux) || os(macOS)
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Copies the process, with the calling thread alone.
///
/// The importer does not offer the function, because most programs should start another program instead.
@_silgen_name("fork")
private func forkedProcessId() -> pid_t

/// A copy of this process that runs a block and reports numbers, at a hundredth of the price of a new process.
///
/// Only for a process without a thread in the middle of something: a lock that it holds would be held in the copy for ever.
package struct ProcessCopy {
    private let id: pid_t
    private let output: Int32

    /// Starts a copy, which ends with the block: with status 0, or 1 after an error.
    package init(_ block: (_ report: (UInt32) -> Void) throws -> Void) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw KillLoopError(description: "There is no pipe to be had.") }
        let id = forkedProcessId()
        if id == 0 {
            _ = close(ends[0])
            Self.runCopy(block, input: ends[1])
        }
        _ = close(ends[1])
        guard id > 0 else { throw KillLoopError(description: "The process cannot be copied.") }
        self.id = id
        output = ends[0]
    }

    private static func runCopy(_ block: ((UInt32) -> Void) throws -> Void, input: Int32) -> Never {
        do {
            try block { number in
                let count = withUnsafeBytes(of: number) { write(input, $0.baseAddress, $0.count) }
                // A parent that is gone needs no copy.
                if count <= 0 { _exit(0) }
            }
            _exit(0)
        } catch {
            let text = Array("A copied process failed: \(error)\n".utf8)
            _ = write(STDERR_FILENO, text, text.count)
            _exit(1)
        }
    }

    /// Waits for the next number; nil when the process ended.
    package func next() -> UInt32? {
        var number: UInt32 = 0
        let count = withUnsafeMutableBytes(of: &number) { read(output, $0.baseAddress, $0.count) }
        return count == MemoryLayout<UInt32>.size ? number : nil
    }

    /// Lets the copy go on for some nanoseconds.
    package func spin(_ nanoseconds: UInt64) {
        let end = ContinuousClock.now.advanced(by: .nanoseconds(Int64(nanoseconds)))
        while ContinuousClock.now < end {}
    }

    /// Kills the process without its knowledge.
    ///
    /// - Returns: Whether it was still at work, and the numbers that nobody read before.
    package func kill() -> (wasKilled: Bool, reports: [UInt32]) {
        #if canImport(Darwin)
        _ = Darwin.kill(id, SIGKILL)
        #elseif canImport(Glibc)
        _ = Glibc.kill(id, SIGKILL)
        #elseif canImport(Musl)
        _ = Musl.kill(id, SIGKILL)
        #endif
        let (status, reports) = finish()
        return (status & 0x7F == SIGKILL, reports)
    }

    /// Waits until the process ended.
    ///
    /// - Returns: Its status, and the numbers that nobody read before.
    package func finish() -> (status: Int32, reports: [UInt32]) {
        var reports: [UInt32] = []
        while let number = next() { reports.append(number) }
        _ = close(output)
        var status: Int32 = 0
        waitpid(id, &status, 0)
        return (status, reports)
    }
}
#endif
