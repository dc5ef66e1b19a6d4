import EventModel

/// Blocks of captures in one journal, and what it takes to read them.
struct JournalBlocks {
    /// A block of captures.
    struct Block {
        let place: ScopeJournalBlock
        /// The positions of its captures.
        let positions: Range<Int>
        let hasFollows: Bool
    }

    let journal: any ScopeJournal
    let shapes: ShapeTable
    /// The blocks, in order of their positions.
    let blocks: [Block]
}

/// The captures of one scope, of which the older ones may lie in journals.
struct ScopeCaptures {
    /// The positions of the scope's captures.
    let positions: Range<Int>
    /// Writes that lie in the realm's file and not in a journal, in order.
    var kept: [KeptWrite] = []
    /// What lies in journals, oldest first.
    let journaled: [JournalBlocks]
    /// What lies in memory, behind that.
    let inMemory: CaptureStretch

    /// Calls the closure with each capture and its position, in order, with one block of a journal in memory at a time.
    ///
    /// - Parameters:
    ///   - onlyFollows: Whether blocks without a followed link may be left out.
    ///   - body: Called with each capture.
    /// - Returns: Why blocks could not be read, which are left out; nil when all were.
    func visit(onlyFollows: Bool = false, _ body: (Capture, _ position: Int) -> Void) -> (any Error)? {
        var failure: (any Error)?
        var kept = onlyFollows ? [] : kept[...]
        let firstInMemory = inMemory.firstPosition ?? .max
        for part in journaled {
            let reader = CaptureBlockReader(shapes: part.shapes)
            for block in part.blocks
            where (block.hasFollows || !onlyFollows) && block.positions.overlaps(positions)
                && block.positions.lowerBound < firstInMemory
            {
                do {
                    try reader.visit(part.journal.read(block.place)) { capture, position in
                        guard positions.contains(position), position < firstInMemory else { return }
                        while let write = kept.first, write.position <= position {
                            body(write.capture, write.position)
                            kept = kept.dropFirst()
                        }
                        body(capture, position)
                    }
                } catch {
                    failure = failure ?? error
                }
            }
        }
        inMemory.visit(body)
        for write in kept { body(write.capture, write.position) }
        return failure
    }
}
