#if canImport(Combine)
import Combine

/// The publishers of realms, objects and collections.
///
/// They are made by `valuePublisher`, `collectionPublisher`, `changesetPublisher` and `objectWillChange`, and
/// named only where a property keeps one.
///
/// ```swift
/// let name = valuePublisher(person, keyPaths: ["name"]).map(\.name).assign(to: \.text, on: label)
/// ```
/// All of them observe as `observe(keyPaths:on:_:)` does, from the executor that subscribes, and end that when the subscription is
/// cancelled. They keep at most one value for a subscriber that asks for no more: what happens meanwhile is told as one.
public enum RealmPublishers {}
#endif
