/// A part of a user interface; the stand-in draws nothing.
@MainActor
@preconcurrency
public protocol View {
    /// What the view is made of.
    associatedtype Body: View
    /// What the view is made of.
    var body: Body { get }
}

extension Never: View {
    /// Nothing.
    public var body: Never { fatalError("A view that is not made of others was asked for its body.") }
}

/// Text in a view.
public struct Text: View, Sendable {
    /// The text.
    public let content: String

    /// Creates text.
    public init(_ content: String) { self.content = content }

    /// Nothing.
    public var body: Never { fatalError("Text is not made of other views.") }
}

/// Where a field to search with stands.
public struct SearchFieldPlacement: Sendable {
    /// Where the system puts it.
    public static let automatic = SearchFieldPlacement()
}

/// A view with a field to search with.
public struct SearchableView<Content: View>: View {
    /// The view.
    public let content: Content
    /// What is searched for.
    public let text: Binding<String>

    /// Nothing.
    public var body: Never { fatalError("The stand-in does not draw a field to search with.") }
}

extension View {
    /// Adds a field to search with.
    public func searchable(
        text: Binding<String>,
        placement: SearchFieldPlacement = .automatic,
        prompt: Text? = nil
    ) -> some View {
        SearchableView(content: self, text: text)
    }
}
