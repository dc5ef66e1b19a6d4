/// The public symbols of RealmSwift, each with where it is here.
///
/// A line has a path and, behind a tab, nothing when it is here under the same name, `= ` and another path, `unlisted` when no
/// graph has it, because the standard library gives it to collections or an underscore hides it, or a sentence that says what to do without it.
package struct SymbolList: Sendable {
    /// Where a symbol is.
    fileprivate enum Place: Sendable {
        case same
        case unlisted
        case other(String)
        case absent(String)
    }

    private let entries: [(path: String, place: Place)]

    /// Reads a list.
    package init(_ text: String) {
        entries = text.split(separator: "\n")
            .map { line in
                let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { return (parts[0], .same) }
                if parts[1] == "unlisted" { return (parts[0], .unlisted) }
                return (parts[0], parts[1].hasPrefix("= ") ? .other(String(parts[1].dropFirst(2))) : .absent(parts[1]))
            }
    }

    /// Returns what the list says that is not so, as sentences.
    package func errors(in graphs: SymbolGraphs) -> [String] {
        entries.compactMap { path, place in
            switch place {
            case .unlisted: nil
            case .same: graphs.has(path) ? nil : "'\(path)' is not there, and the list does not say why."
            case .other(let other): graphs.has(other) ? nil : "'\(path)' is said to be '\(other)', which is not there."
            case .absent: graphs.has(path) ? "'\(path)' is there, and the list says that it is not." : nil
            }
        }
    }

    /// The list as an article: a table for each type.
    package var article: String {
        var text = """
            # Symbols of RealmSwift

            What becomes of each public symbol of the original.

            ## Overview

            \(entries.count) symbols of its public reference, of which \(entries.count { $0.place.isHere }) are here. "Here" means under the same \
            name, with the same labels; <doc:MovingFromRealmSwift> says where one does something else. The table is made from the symbols of the \
            libraries, and compared with them by `Tools/docs`.

            | Symbol | Here |
            |---|---|

            """
        for (path, place) in entries { text += "| `\(path)` | \(place.words) |\n" }
        return text
    }
}

extension SymbolList.Place {
    fileprivate var isHere: Bool { if case .absent = self { false } else { true } }

    fileprivate var words: String {
        switch self {
        case .same, .unlisted: "yes"
        case .other(let path): "as `\(path)`"
        case .absent(let reason): "no. \(reason)"
        }
    }
}
