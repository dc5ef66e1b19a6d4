/// Goes over values of a collection, one block after the other: to find the block of each would take longer than to read it.
struct ValuesIterator<Label: ElementLabel, Element: RealmCollectionValue>: IteratorProtocol {
    private let elements: ManagedElements<Label, Element>
    private let values: Blocks<Element>
    private var block: ContiguousArray<Element>
    private var blockIndex = 0
    private var place = 0

    init(_ values: Blocks<Element>, of elements: ManagedElements<Label, Element>) {
        self.values = values
        self.elements = elements
        block = values.blocks.first ?? []
    }

    /// The next value, which is shown with it.
    mutating func next() -> Element? {
        if place == block.count {
            blockIndex += 1
            guard blockIndex < values.blocks.count else { return nil }
            block = values.blocks[blockIndex]
            place = 0
        }
        elements.show()
        defer { place += 1 }
        return block[place]
    }
}
