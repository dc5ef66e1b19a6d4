/// Goes over the objects of a collection, whose rows are read in batches while the collection does not change.
struct ObjectsIterator<Label: ElementLabel, Element: RealmCollectionValue>: IteratorProtocol {
    private let elements: ManagedElements<Label, Element>
    /// The elements as they were when the iteration began, with the rows that were read until then.
    private let contents: ManagedElements<Label, Element>.Contents
    /// The rows of a batch, and how many elements were handed out before it.
    private var rows: ContiguousArray<_ElementRow?> = []
    private var start = 0
    private var index = 0

    init(_ contents: ManagedElements<Label, Element>.Contents, of elements: ManagedElements<Label, Element>) {
        self.contents = contents
        self.elements = elements
    }

    /// The next object, which is handed to the program.
    mutating func next() -> Element? {
        if index == rows.count {
            start += index
            index = 0
            rows = []
            guard start < contents.rows.count else { return nil }
            let count = ManagedElements<Label, Element>.rowBatch * 4
            rows = elements.rows(in: start..<min(start + count, contents.rows.count), of: contents)
        }
        defer { index += 1 }
        return elements.handOut(rows[index], among: contents)
    }
}
