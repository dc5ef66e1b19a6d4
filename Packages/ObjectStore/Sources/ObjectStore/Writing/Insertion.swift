/// What the objects that one transaction inserted have in common: whether it was rolled back, so that they are gone.
///
/// Their row keys may be given again afterwards, so that the rows cannot say so. Only its instance's executor touches it; it
/// lives as long as the last of the objects.
final class Insertion {
    /// Whether the transaction was rolled back.
    var isCancelled = false
}
