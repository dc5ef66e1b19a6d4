/// How much of a listing of seals is read at once.
public enum SealPage {
    /// A bound for the seals of one page, in bytes as JSON: 1 MiB, which is a thousand of the usual size and sixteen of the largest.
    public static let maximumBytes = 1_048_576
}
