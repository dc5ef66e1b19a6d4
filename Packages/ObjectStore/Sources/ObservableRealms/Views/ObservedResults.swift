#if canImport(SwiftUI)
public import ObjectStore
public import SwiftUI

/// What a query finds, for a view that is made anew when that changes.
///
/// ```swift
/// struct DogsView: View {
///     @ObservedResults(Dog.self, where: { $0.age > 3 }, sortDescriptor: SortDescriptor(keyPath: \Dog.name)) var dogs
///
///     var body: some View {
///         List { ForEach(dogs) { dog in DogView(dog: dog) }.onDelete(perform: $dogs.remove) }
///     }
/// }
/// ```
/// The realm is that of the configuration, or else of the environment's `realmConfiguration`. The view reads
/// frozen results; `$dogs` changes the realm, each time in a transaction of its own.
@MainActor
@propertyWrapper
public struct ObservedResults<ResultType: RealmFetchable & KeypathSortable & Identifiable>: BoundCollection {
    /// The elements.
    public typealias Element = ResultType

    @Environment(\.realmConfiguration) private var surrounding
    @StateObject var storage = ObservedQuery<ResultType, Results<ResultType>> { $0 }
    @State private var chosen: FilterCondition<ResultType>??
    private let configuration: Realm.Configuration?
    private let condition: FilterCondition<ResultType>?
    private let keyPaths: [String]?
    private let sortDescriptors: [ObjectStore.SortDescriptor]

    /// Creates the property with a condition as a text.
    ///
    /// - Parameters:
    ///   - type: The class of the objects, or a projection of one.
    ///   - configuration: The realm; nil for that of the environment.
    ///   - filter: The condition; nil for all.
    ///   - keyPaths: The properties whose changes make the view anew; nil for all.
    ///   - sortDescriptor: The order; nil for none.
    public init(
        _ type: ResultType.Type,
        configuration: Realm.Configuration? = nil,
        filter: FilterCondition<ResultType>? = nil,
        keyPaths: [String]? = nil,
        sortDescriptor: ObjectStore.SortDescriptor? = nil
    ) {
        self.configuration = configuration
        condition = filter
        self.keyPaths = keyPaths
        sortDescriptors = sortDescriptor.map { [$0] } ?? []
    }

    /// Creates the property with a condition that the compiler checks; see the form with a text.
    public init(
        _ type: ResultType.Type,
        configuration: Realm.Configuration? = nil,
        where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
        keyPaths: [String]? = nil,
        sortDescriptor: ObjectStore.SortDescriptor? = nil
    ) {
        self.init(
            type,
            configuration: configuration,
            filter: FilterCondition(isIncluded),
            keyPaths: keyPaths,
            sortDescriptor: sortDescriptor
        )
    }

    /// What the query finds now, frozen.
    ///
    /// - Precondition: The realm can be opened.
    public var wrappedValue: Results<ResultType> {
        storage.shown(in: configuration ?? surrounding, chosen ?? condition, sortDescriptors, keyPaths)
    }

    /// What changes the realm and the condition.
    public var projectedValue: Self { self }

    /// The condition; set, it stands for the one that the property was created with, and nil for none.
    public var filter: FilterCondition<ResultType>? {
        get { chosen ?? condition }
        nonmutating set { chosen = .some(newValue) }
    }

    /// The condition that the compiler checked, instead of ``filter``; nil for none, and where the condition is a text.
    public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
        get { filter?.isIncluded }
        nonmutating set { chosen = .some(newValue.map { FilterCondition($0) }) }
    }

    /// Finds only what has a text in a property, whatever its case and accents; an empty text ends that.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keyPath: The property.
    func search(for text: String, in keyPath: KeyPath<ResultType, String>) {
        storage.search(for: text, in: ResultType._names(of: keyPath).joined(separator: "."))
    }

    /// What a field of the view searches for; empty for nothing.
    public var searchText: String { storage.searchText }
}

extension ObservedResults: nonisolated DynamicProperty {}

extension View {
    /// Adds a field that searches what a query of a view finds.
    ///
    /// - Parameters:
    ///   - text: What is searched for.
    ///   - collection: The query, such as `$dogs`.
    ///   - keyPath: The property that has the text.
    ///   - placement: Where the field stands.
    ///   - prompt: What the field says while it is empty.
    /// - Returns: The view with the field.
    public func searchable<T>(
        text: Binding<String>,
        collection: ObservedResults<T>,
        keyPath: KeyPath<T, String>,
        placement: SearchFieldPlacement = .automatic,
        prompt: Text? = nil
    ) -> some View {
        collection.search(for: text.wrappedValue, in: keyPath)
        return searchable(text: text, placement: placement, prompt: prompt)
    }
}
#endif
