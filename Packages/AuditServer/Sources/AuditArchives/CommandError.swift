/// What can go wrong with a command, each as the one sentence that is printed.
package enum CommandError: Error, Equatable {
    /// Thrown when neither files nor a server are named, or both are.
    case ambiguousSource
    /// Thrown when a server is named without a token.
    case missingToken
    /// Thrown when the text after `--server` is no address of a server.
    case malformedServer(String)
    /// Thrown when a file is missing.
    case missingFile(String)
    /// Thrown when a line of a file has another form than its help says.
    case malformedLine(String, number: Int)
    /// Thrown when the configuration of the server is not what its document says.
    case malformedConfiguration(String, key: String, reason: String)
    /// Thrown when a file does not hold the key of event files.
    case malformedKey(String)
    /// Thrown when a file does not hold the key of a realm file.
    case malformedRealmKey(String)
    /// Thrown when a text is no key of a server.
    case malformedServerKey(String)
    /// Thrown when a server could not make an export; the reason is a sentence.
    case unfinishedExport(reason: String)
    /// Thrown when the user ended an export before it was made.
    case cancelledExport
    /// Thrown when a time is not in ISO 8601, in UTC.
    case malformedTime(String)
    /// Thrown when the server cannot be reached.
    case unreachable(server: String, reason: String)
    /// Thrown when the server refuses a request; the message is the server's.
    case refused(status: Int, message: String)
    /// Thrown when no event has an id or a place.
    case missingEvent(String)
    /// Thrown when an app has no collection.
    case missingCollection(app: String)
    /// Thrown when no app posts objects of a class; with the classes of which one does.
    case missingClass(String, known: [String])
    /// Thrown when no realm is the one that is meant; with those that there are.
    case missingRealm(known: [String])
    /// Thrown when an app has other classes than a file says; a sentence for each contradiction.
    case contradicted([String])
    /// A partition is to be released that is not kept aside in the folder.
    case notKeptAside(String)
    /// Thrown when no user has an address.
    case missingUser(String)
    /// Thrown when nobody typed a password, and none is on stdin.
    case missingPassword
    /// Thrown when a password was typed in two ways.
    case differentPasswords
    /// Thrown when the answer is not one that the protocol knows.
    case malformedAnswer(server: String)
    /// Thrown when files cannot be read.
    case unreadable(path: String, reason: String)
    /// Thrown when a file cannot be written.
    case unwritable(path: String, reason: String)
}

extension CommandError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ambiguousSource: "Say where the events are: either --files DIR or --server URL."
        case .missingToken: "A server needs a token: --token TOKEN or --token-file FILE."
        case .malformedServer(let text): "'\(text)' is not the address of a server such as http://127.0.0.1:8080."
        case .missingFile(let path): "There is no file \(path)."
        case .malformedLine(let path, let number):
            "Line \(number) of \(path) is not of the form that its help describes."
        case .malformedConfiguration(let path, let key, let reason): "\(path): \(key) cannot be used: \(reason)."
        case .malformedKey(let path): "\(path) does not hold a key: it should be 64 hexadecimal digits."
        case .malformedRealmKey(let path):
            "\(path) does not hold the key of a realm file: it should be 128 hexadecimal digits."
        case .malformedServerKey(let text): "'\(text)' is not the key of a server: it should be 64 hexadecimal digits."
        case .unfinishedExport(let reason): "The server could not make the export. \(reason)"
        case .cancelledExport: "The export was ended; nothing of it is left."
        case .malformedTime(let text):
            "'\(text)' is not a time such as 2026-01-31T08:30:00Z, a day such as 2026-01-31, now, or 10m, 2h or 3d ago."
        case .unreachable(let server, let reason): "The server \(server) cannot be reached: \(reason)."
        case .refused(let status, let message): "The server answered \(status): \(message)"
        case .missingEvent(let reference): "There is no event \(reference), or it may not be read."
        case .missingCollection(let app): "The app '\(app)' has no collection AuditEvent."
        case .missingClass(let name, let known):
            "No app of this folder has an asymmetric class '\(name)'. "
                + (known.isEmpty ? "None has any." : "There is \(Self.first(of: known)).")
        case .missingRealm(let known):
            "No realm of this folder has such an app, value and history. "
                + (known.isEmpty ? "There is none." : "There is \(Self.first(of: known)).")
        case .contradicted(let sentences):
            "The file contradicts the classes of the app; nothing is added. "
                + sentences.prefix(8).joined(separator: " ")
                + (sentences.count > 8 ? " And \(sentences.count - 8) more." : "")
        case .notKeptAside(let partition):
            "The partition '\(partition)' is not kept aside below this folder. See daybook partitions --files for those that are."
        case .missingUser(let email): "The app has no user with the address \(email)."
        case .missingPassword: "There is no password: type one, or write it to the first line of stdin."
        case .differentPasswords: "The two passwords differ; nothing is changed."
        case .malformedAnswer(let server): "The answer of \(server) is not one of a Daybook server."
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)."
        }
    }

    /// The first of many names, and how many more there are.
    private static func first(of names: [String]) -> String {
        let shown = names.prefix(8).joined(separator: ", ")
        return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
    }
}
