public import Foundation

/// What happened to sections since their handler was called last.
///
/// A path has two numbers: the index of the section, and that of the element in it.
@frozen
public enum SectionedResultsChange<Collection> {
    /// The first call: the sections as they are now.
    case initial(Collection)
    /// The sections changed; all paths and indexes are ascending.
    ///
    /// Deletions, modifications and deleted sections are places as they were, insertions and inserted sections places as they
    /// are. An element that moved, or whose key changed, is deleted and inserted, and so is a section that moved. The elements of
    /// a deleted section are among the deletions, those of an inserted one among the insertions.
    case update(
        Collection,
        deletions: [IndexPath],
        insertions: [IndexPath],
        modifications: [IndexPath],
        sectionsToInsert: IndexSet,
        sectionsToDelete: IndexSet
    )
}

extension SectionedResultsChange {
    init(_ event: SectionEvent?, _ collection: Collection) {
        guard let event else {
            self = .initial(collection)
            return
        }
        self = .update(
            collection,
            deletions: event.deletions,
            insertions: event.insertions,
            modifications: event.modifications,
            sectionsToInsert: event.sectionsToInsert,
            sectionsToDelete: event.sectionsToDelete
        )
    }
}
