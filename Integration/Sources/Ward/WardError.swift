/// Why the demo could not go on.
@nonexhaustive
public enum WardError: Error, Sendable, Equatable {
    /// Thrown when the input cannot be opened; nothing was changed.
    case unreadableInput(path: String, reason: String)
    /// Thrown when the realm has no recorder, which its configuration promises.
    case notRecording
    /// Thrown when completions were given errors.
    case notPersisted([String])
    /// Thrown when a run ended well, but damaged or refused partitions stay on the device.
    case keptAside([String], folder: String)
}

extension WardError: CustomStringConvertible {
    /// A sentence for the person at the terminal.
    public var description: String {
        switch self {
        case .unreadableInput(let path, let reason): "The input \(path) cannot be read: \(reason)."
        case .notRecording: "The realm was opened without a recorder."
        case .keptAside(let partitions, let folder):
            """
            \(partitions.joined(separator: ", ")) cannot be uploaded and stays in \(folder); \
            'daybook verify --files \(folder)' says what is wrong.
            """
        case .notPersisted(let failures): "Events could not be persisted: \(failures.joined(separator: "; "))."
        }
    }
}
