/// Whether an object is there, how often it came and went, and who proposed that.
///
/// An object has an *epoch*: 0 before it was ever created, odd while it lives, even while it is deleted. A creation or
/// deletion proposes the epoch that follows what its author knew, and leaves a mark, accepted or not: else the result
/// would depend on the order of arrival.
public struct Existence: Sendable, Hashable {
    /// What one creation or deletion proposed.
    public struct Mark: Sendable, Hashable {
        /// The number in the server's order at which it arrived.
        public let number: Int
        /// The proposed epoch; odd for a creation, even for a deletion.
        public let epoch: Int
        /// When it was proposed, and by which file.
        public let stamp: Stamp

        /// Creates a mark.
        public init(number: Int, epoch: Int, stamp: Stamp) {
            self.number = number
            self.epoch = epoch
            self.stamp = stamp
        }
    }

    /// The present epoch: the greatest that was proposed.
    public private(set) var epoch: Int
    /// All proposals in the order of their arrival; those below the floor of the log may be left out.
    public private(set) var marks: [Mark]

    /// Creates the existence of an object; by default of one that never was.
    public init(epoch: Int = 0, marks: [Mark] = []) {
        self.epoch = epoch
        self.marks = marks
    }

    /// Whether the object is there.
    public var isAlive: Bool { !epoch.isMultiple(of: 2) }

    /// Returns the epoch that a file knew when it was at a position.
    ///
    /// - Parameters:
    ///   - file: The file, which knows what it proposed itself.
    ///   - base: The position, up to which it knows what others proposed.
    /// - Returns: The greatest epoch among the marks that it knew; 0 for none.
    /// - Complexity: O(*n*) in the marks.
    public func known(to file: UInt32, at base: Int) -> Int {
        marks.lazy.filter { $0.number <= base || $0.stamp.file == file }.map(\.epoch).max() ?? 0
    }

    /// Returns whether a deletion has cleared a link to the object.
    ///
    /// - Parameters:
    ///   - stamp: When the link was written.
    ///   - known: The epoch of the object that its author knew, so that the deletion of a former object clears no link
    ///     to a later one.
    /// - Returns: Whether somebody deleted what the link meant, or a later object, after the link was written.
    /// - Complexity: O(*n*) in the marks.
    public func hasCleared(linkOf stamp: Stamp, known: Int) -> Bool {
        marks.contains { $0.epoch.isMultiple(of: 2) && $0.epoch > known && $0.stamp > stamp }
    }

    /// Notes a proposal, which becomes the present epoch if it is the greatest.
    mutating func add(_ mark: Mark, marks isMarked: Bool = true) {
        if isMarked || mark.epoch > epoch { marks.append(mark) }
        epoch = max(epoch, mark.epoch)
    }
}
