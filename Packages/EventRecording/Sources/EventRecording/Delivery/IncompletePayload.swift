import EventModel

/// What stands in for a payload that could not be made: a sentence without user data.
enum IncompletePayload {
    /// Returns `{"error":"..."}`, naming the kind of event and the type of the error.
    ///
    /// The error's own text is left out: it may come from the app and show what the user sees.
    static func json(_ event: CombinedEvent, cause: any Error) -> String {
        let subject =
            switch event.content {
            case .object(let snapshot, position: _): "A read of class '\(snapshot.shape.name)'"
            case .query(let query): "A read of class '\(query.shape.name)'"
            case .write: "A write"
            }
        return "{\"error\":\"\(escaped("\(subject) could not be represented: \(type(of: cause))."))\"}"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            // Control characters do not occur in names; a space is as good as an escape.
            case "\u{0}"..<" ": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension CombinedEvent {
    /// Whether the event is a write transaction.
    var isWrite: Bool {
        if case .write = content { true } else { false }
    }
}
