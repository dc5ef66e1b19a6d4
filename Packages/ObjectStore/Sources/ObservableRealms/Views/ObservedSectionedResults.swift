#if canImport(SwiftUI)
public import Foundation
public import ObjectStore
public import SwiftUI

/// What a query finds, in sections, for a view that is made anew when that changes.
///
/// ```swift
/// @ObservedSectionedResults(Dog.self, sectionKeyPath: \.breed, sortDescriptors: ["breed", "name"]) var dogs
/// ```
/// Otherwise as ``ObservedResults``.
@MainActor
@propertyWrapper
public struct ObservedSectionedResults<
    Key: _Persistable & Hashable,
    ResultType: RealmFetchable & KeypathSortable & Identifiable
> {
    /// The elements.
    public typealias Element = ResultType

    @Environment(\.realmConfiguration) private var surrounding
    @StateObject var storage: ObservedQuery<ResultType, SectionedResults<Key, ResultType>>
    @State private var chosen: FilterCondition<ResultType>??
    private let configuration: Realm.Configuration?
    private let condition: FilterCondition<ResultType>?
    private let keyPaths: [String]?

    /// Creates the property with what makes the key of an element.
    ///
    /// - Parameters:
    ///   - type: The class of the objects, or a projection of one.
    ///   - sectionBlock: Makes the key of an element.
    ///   - sortDescriptors: The order, in which the elements of a key come together.
    ///   - filter: The condition; nil for all.
    ///   - keyPaths: The properties whose changes make the view anew; nil for all.
    ///   - configuration: The realm; nil for that of the environment.
    public init(
        _ type: ResultType.Type,
        sectionBlock: @escaping (ResultType) -> Key,
        sortDescriptors: [ObjectStore.SortDescriptor] = [],
        filter: FilterCondition<ResultType>? = nil,
        keyPaths: [String]? = nil,
        configuration: Realm.Configuration? = nil
    ) {
        _storage = StateObject(
            wrappedValue: ObservedQuery { $0.sectioned(by: sectionBlock, sortDescriptors: sortDescriptors) }
        )
        self.configuration = configuration
        condition = filter
        self.keyPaths = keyPaths
    }

    /// Creates the property with a condition that the compiler checks; see the form with a text.
    public init(
        _ type: ResultType.Type,
        sectionBlock: @escaping (ResultType) -> Key,
        sortDescriptors: [ObjectStore.SortDescriptor] = [],
        where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
        keyPaths: [String]? = nil,
        configuration: Realm.Configuration? = nil
    ) {
        self.init(
            type,
            sectionBlock: sectionBlock,
            sortDescriptors: sortDescriptors,
            filter: FilterCondition(isIncluded),
            keyPaths: keyPaths,
            configuration: configuration
        )
    }

    /// Creates the property with the property that is the key.
    public init(
        _ type: ResultType.Type,
        sectionKeyPath: KeyPath<ResultType, Key>,
        sortDescriptors: [ObjectStore.SortDescriptor] = [],
        filter: FilterCondition<ResultType>? = nil,
        keyPaths: [String]? = nil,
        configuration: Realm.Configuration? = nil
    ) {
        self.init(
            type,
            sectionBlock: { $0[keyPath: sectionKeyPath] },
            sortDescriptors: sortDescriptors,
            filter: filter,
            keyPaths: keyPaths,
            configuration: configuration
        )
    }

    /// Creates the property with the property that is the key, and a condition that the compiler checks.
    public init(
        _ type: ResultType.Type,
        sectionKeyPath: KeyPath<ResultType, Key>,
        sortDescriptors: [ObjectStore.SortDescriptor] = [],
        where isIncluded: @escaping (Query<ResultType>) -> Query<Bool>,
        keyPaths: [String]? = nil,
        configuration: Realm.Configuration? = nil
    ) {
        self.init(
            type,
            sectionKeyPath: sectionKeyPath,
            sortDescriptors: sortDescriptors,
            filter: FilterCondition(isIncluded),
            keyPaths: keyPaths,
            configuration: configuration
        )
    }

    /// What the query finds now, in sections, frozen.
    ///
    /// - Precondition: The realm can be opened.
    public var wrappedValue: SectionedResults<Key, ResultType> {
        storage.shown(in: configuration ?? surrounding, chosen ?? condition, [], keyPaths)
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

    /// Deletes objects of a section.
    ///
    /// - Parameters:
    ///   - offsets: Their places in the section.
    ///   - section: The section as the view shows it.
    public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>)
    where ResultType: ObjectBase {
        BoundWrite.delete(offsets.map { section[$0] })
    }
}

extension ObservedSectionedResults: nonisolated DynamicProperty {}
#endif
