import Foundation

/// How text is marked on a terminal; elsewhere it is left as it is.
struct TerminalStyle {
    /// Marks nothing.
    static let plain = TerminalStyle(isColored: false, width: 160)
    /// The fewest columns that a table has use for.
    private static let leastWidth = 60

    /// Whether marks are written.
    let isColored: Bool
    /// How many columns a line has.
    let width: Int

    /// Describes a style.
    init(isColored: Bool, width: Int) {
        self.isColored = isColored
        self.width = max(Self.leastWidth, width)
    }

    /// The style of stdout: colours on terminals alone, and none where `NO_COLOR` is set.
    static var standardOutput: TerminalStyle {
        guard isatty(STDOUT_FILENO) == 1 else { return plain }
        // LIVE: what the user says about the terminal.
        let environment = ProcessInfo.processInfo.environment
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return TerminalStyle(environment: environment, columns: isKnown ? Int(size.ws_col) : nil)
    }

    /// Describes a terminal by what its environment says of it.
    init(environment: [String: String], columns: Int?) {
        self.init(
            isColored: environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb",
            width: columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? 120
        )
    }

    /// Marks a heading.
    func strong(_ text: String) -> String { marked(text, "1") }
    /// Marks what matters less.
    func faint(_ text: String) -> String { marked(text, "2") }
    /// Marks what is good or new.
    func good(_ text: String) -> String { marked(text, "32") }
    /// Marks what is bad or old.
    func bad(_ text: String) -> String { marked(text, "31") }
    /// Marks what somebody should look at.
    func notable(_ text: String) -> String { marked(text, "33") }

    private func marked(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
