import AuditHTTP
import AuditModel
import Synchronization

/// Writes events to stdout as rows of a table or as lines of JSON.
final class EventPrinter: Sendable {
    private struct State {
        var output = BufferedOutput()
        var hasHeader = false
    }

    private let isJSON: Bool
    private let style = TerminalStyle.standardOutput
    private let state = Mutex(State())

    /// Chooses the form.
    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// Writes an event, not necessarily at once.
    ///
    /// - Throws: What the encoding throws.
    func write(_ line: EventLine) throws {
        let bytes = isJSON ? try EventLine.lines([line]) : Array(EventTable(style).row(line).utf8)
        state.withLock { state in
            if !isJSON, !state.hasHeader { state.output.append(EventTable(style).header) }
            state.hasHeader = true
            state.output.append(bytes)
        }
    }

    /// Writes what is left.
    func flush() {
        state.withLock { $0.output.flush() }
    }
}
