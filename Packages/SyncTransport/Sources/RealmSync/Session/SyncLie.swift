/// What no honest server says; the file is untouched.
enum SyncLie: Error, Sendable, Equatable {
    /// It took a batch, and says that it has less than that.
    case acknowledgesLess
    /// It sends entries that the file has.
    case repeatsEntries
    /// It has a change of this file that was never sent.
    case inventsChange
    /// It says for ever that a snapshot goes on.
    case endlessSnapshot

    /// A sentence that says what is wrong.
    var description: String {
        switch self {
        case .acknowledgesLess: "The server says that it has less than what it took."
        case .repeatsEntries: "The server sends entries that the file has."
        case .inventsChange: "The server has a change of this file that was never sent."
        case .endlessSnapshot: "The server sends the same page of a snapshot again and again."
        }
    }
}
