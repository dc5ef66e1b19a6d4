/// What became of one operation of a change.
public enum OperationResult: Sendable, Hashable {
    /// It holds as it was sent.
    case asSent
    /// It was right and something newer holds, in part or as a whole.
    case superseded
    /// It was not done.
    case refused(OperationRefusal)
}
