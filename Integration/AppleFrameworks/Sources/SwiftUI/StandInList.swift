/// Rows of views; here, because it has the name of a type of the store.
public struct List<Content: View>: View {
    /// The rows.
    public let content: Content

    /// Creates a list.
    public init(_ content: () -> Content) { self.content = content() }

    /// Nothing.
    public var body: Never { fatalError("The stand-in does not draw rows.") }
}
