/// What supervisors are told in numbers, of what no route sees by itself.
///
/// Safe to call from any thread.
package protocol ServerCounting: Sendable {
    /// Counts an alert.
    func didRaise(_ kind: Alert.Kind)

    /// Counts something that is refused.
    func didRefuse(_ refusal: Refusal)

    /// Counts sessions that ended.
    func didEndSessions(_ count: Int, _ end: SessionEnd)
}
