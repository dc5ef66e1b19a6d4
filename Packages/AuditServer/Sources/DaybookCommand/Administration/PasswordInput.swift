import AuditArchives
import Foundation

/// Reads a password from whoever runs the command.
enum PasswordInput {
    /// Asks for a password twice without showing it, or takes the first line of stdin when that is no terminal.
    ///
    /// - Throws: `CommandError.missingPassword` when there is none, and `CommandError.differentPasswords`.
    static func read() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        let first = try hidden("Password: ")
        guard try hidden("The same again: ") == first else { throw CommandError.differentPasswords }
        return first
    }

    private static func hidden(_ prompt: String) throws -> String {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { throw CommandError.missingPassword }
        var quiet = shown
        quiet.c_lflag &= ~tcflag_t(ECHO)
        StandardOutput.prompt(prompt)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0 else { throw CommandError.missingPassword }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            StandardOutput.prompt("\n")
        }
        return try line()
    }

    private static func line() throws -> String {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else { throw CommandError.missingPassword }
        return line
    }
}
