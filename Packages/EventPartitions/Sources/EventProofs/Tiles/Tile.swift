/// Names a file of a log: a row of hashes of its tree, or the entries themselves; tlog-tiles of C2SP.
///
/// ```swift
/// Tile(level: 0, index: 1_234_067).path              // tile/0/x001/x234/067
/// Tile(level: 0, index: 273, width: 112).path        // tile/0/273.p/112
/// Tile.entries(index: 0, width: 5).path              // tile/entries/000.p/5
/// ```
public struct Tile: Sendable, Hashable {
    /// What a file holds.
    public enum Content: Sendable, Hashable {
        /// Hashes of complete subtrees, each over 256 to the power of the level leaves; the level is at most 63.
        case hashes(level: Int)
        /// Entries, as an ``EntryBundle``.
        case entries
    }

    /// How many hashes or entries a full tile has.
    public static let fullWidth = 256
    /// The levels that a tree of at most 2^63 - 1 entries has.
    static let levels = 0..<8

    /// What it holds.
    public let content: Content
    /// Which one of its level it is, from 0.
    public let index: UInt64
    /// How many hashes or entries it has, from 1 to 256.
    public let width: Int

    /// Names a tile of hashes.
    ///
    /// - Precondition: The level is from 0 to 63, and the width from 1 to 256.
    public init(level: Int, index: UInt64, width: Int = Self.fullWidth) {
        self.init(.hashes(level: level), index: index, width: width)
    }

    /// Names a bundle of entries.
    ///
    /// - Returns: The name.
    /// - Precondition: The width is from 1 to 256.
    public static func entries(index: UInt64, width: Int = Self.fullWidth) -> Tile {
        Tile(.entries, index: index, width: width)
    }

    init(_ content: Content, index: UInt64, width: Int) {
        if case .hashes(let level) = content {
            precondition((0...63).contains(level), "A tile has a level from 0 to 63.")
        }
        precondition((1...Self.fullWidth).contains(width), "A tile has between 1 and 256 hashes.")
        self.content = content
        self.index = index
        self.width = width
    }

    /// Whether it has 256 hashes or entries, and never grows again.
    public var isFull: Bool { width == Self.fullWidth }

    /// The tile with the same place that is full.
    var full: Tile { Tile(content, index: index, width: Self.fullWidth) }

    /// How many bytes the file has at most; a tile of hashes has exactly so many.
    public var maximumBytes: Int {
        switch content {
        case .hashes: width * 32
        case .entries: width * (2 + EntryBundle.maximumEntryBytes)
        }
    }
}

// MARK: - Paths

extension Tile {
    /// The path below the log's prefix, without a slash in front.
    public var path: String {
        let place =
            switch content {
            case .hashes(let level): String(level)
            case .entries: "entries"
            }
        var digits = String(index)
        digits = String(repeating: "0", count: (3 - digits.count % 3) % 3) + digits
        var elements: [String] = []
        while !digits.isEmpty {
            elements.append(String(digits.prefix(3)))
            digits.removeFirst(3)
        }
        let number = elements.dropLast().map { "x\($0)/" }.joined() + elements.suffix(1).joined()
        return "tile/\(place)/\(number)\(isFull ? "" : ".p/\(width)")"
    }

    /// Reads a path below the log's prefix; nil when it is not exactly the ``path`` of a tile.
    public init?(path: String) {
        var elements = path.split(separator: "/", omittingEmptySubsequences: false)
        guard elements.count >= 3, elements.count <= 11, elements.removeFirst() == "tile" else { return nil }
        let place = elements.removeFirst()
        var width = Self.fullWidth
        if elements.count > 1, elements[elements.count - 2].hasSuffix(".p") {
            guard let number = DecimalText.number(elements.removeLast().utf8), (1..<256).contains(number) else {
                return nil
            }
            width = Int(number)
            elements[elements.count - 1].removeLast(2)
        }
        let digits = elements.map { $0.drop { $0 == "x" } }.joined()
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = UInt64(digits) else { return nil }
        let content: Content
        if place == "entries" {
            content = .entries
        } else {
            guard let level = DecimalText.number(place.utf8), level <= 63 else { return nil }
            content = .hashes(level: Int(level))
        }
        self.init(content, index: index, width: width)
        // There is one spelling: the right number of digits, each element but the last with an x.
        guard Array(self.path.utf8) == Array(path.utf8) else { return nil }
    }
}
