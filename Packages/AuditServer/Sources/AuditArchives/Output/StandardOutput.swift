import Foundation

/// The two streams that a command writes to.
package enum StandardOutput {
    /// Where the output of a task goes instead, as when a test reads what a command says.
    @TaskLocal package static var redirection: (@Sendable ([UInt8]) -> Void)?
    /// Where the remarks of a task go instead.
    @TaskLocal package static var remarks: (@Sendable (String) -> Void)?

    /// Writes to stdout at once.
    package static func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes to stdout at once.
    package static func write(_ bytes: [UInt8]) {
        if let redirection { return redirection(bytes) }
        // A reader that went away, as `head` does, ends the process by SIGPIPE before this call returns.
        FileHandle.standardOutput.write(Data(bytes))
    }

    /// Writes a line to stderr.
    package static func remark(_ text: String) {
        if let remarks { return remarks(text) }
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// Writes to stderr without ending the line.
    package static func prompt(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Writes a note to stderr when somebody sits in front of it; the carriage return lets the next one replace it.
    package static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}
