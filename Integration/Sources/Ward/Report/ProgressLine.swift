import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Shows how far a piece of work is: a bar on a terminal, a plain line at every twentieth otherwise.
public final class ProgressLine {
    private let title: String
    private let total: Int
    private let isTerminal: Bool
    private let write: (String) -> Void
    private var shown = -1

    /// Starts a line.
    ///
    /// - Parameters:
    ///   - title: What is being done.
    ///   - total: How many units there are; 0 when nobody knows.
    ///   - isTerminal: Whether lines can be drawn over; by default, what standard output is.
    ///   - write: Where the text goes; by default standard output, flushed at once.
    public init(
        _ title: String,
        total: Int,
        isTerminal: Bool = ProgressLine.isOnTerminal,
        write: @escaping (String) -> Void = ProgressLine.standardOutput
    ) {
        self.title = title
        self.total = total
        self.isTerminal = isTerminal
        self.write = write
        advance(to: 0)
    }

    /// Writes to standard output without waiting for a full buffer.
    @Sendable
    public static func standardOutput(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// Whether standard output is a terminal.
    public static var isOnTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Shows that so many units are done.
    public func advance(to done: Int) {
        let twentieth = total > 0 ? min(done, total) * 20 / total : 0
        guard isTerminal || twentieth > shown else { return }
        shown = twentieth
        if isTerminal {
            let bar = String(repeating: "#", count: twentieth) + String(repeating: ".", count: 20 - twentieth)
            write("\r\u{1B}[K\(title) [\(bar)] \(done) of \(total)")
        } else {
            write("\(title): \(done) of \(total)\n")
        }
    }

    /// Ends the line with a last sentence.
    public func finish(_ sentence: String) {
        write(isTerminal ? "\r\u{1B}[K\(title): \(sentence)\n" : "\(title): \(sentence)\n")
    }
}
