#if os(Linux)
import Foundation

/// Copies the process, with the calling thread alone; the importer does not offer the function, because most programs
/// should start another program instead.
@_silgen_name("fork")
private func forkedProcessId() -> pid_t

/// A copy of the test process that runs a block, at a thousandth of the price of a new process.
///
/// Only for the process of an exit test, which has no other threads at work, and only while no realm is open that the
/// block opens, too.
struct ForkedProcess {
    private let id: pid_t
    private let output: Int32

    /// Starts a copy; it writes numbers for the parent with the function that its block is given.
    ///
    /// The copy ends with the block: with status 0, or 1 after an error.
    init(_ block: (_ report: (Int) -> Void) throws -> Void) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "There is no pipe to be had.")
        fflush(nil)
        id = forkedProcessId()
        precondition(id >= 0, "The process cannot be copied.")
        output = ends[0]
        if id == 0 {
            close(ends[0])
            Self.runCopy(block, ends[1])
        }
        close(ends[1])
    }

    private static func runCopy(_ block: (_ report: (Int) -> Void) throws -> Void, _ input: Int32) -> Never {
        do {
            try block { number in
                withUnsafeBytes(of: number) { bytes in
                    // A parent that no longer listens does not matter to the copy.
                    _ = Glibc.write(input, bytes.baseAddress, bytes.count)
                }
            }
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
    func kill() -> [Int] {
        _ = Glibc.kill(id, SIGKILL)
        return finish().reports
    }

    /// Waits until the process ended by itself.
    ///
    /// - Returns: Whether it ended well, and the numbers that nobody read before.
    func finish() -> (isGood: Bool, reports: [Int]) {
        var reports: [Int] = []
        while let number = next() { reports.append(number) }
        close(output)
        var status: Int32 = 0
        waitpid(id, &status, 0)
        return (status == 0, reports)
    }
}
#endif
