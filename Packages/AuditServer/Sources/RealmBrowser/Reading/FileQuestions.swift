import Foundation
import RealmWindow

/// What pages ask of the file; each answer names the state that the file was in, or a later one.
struct FileQuestions: Sendable {
    /// How many objects a page of a table has at most.
    static let maximumRows = 500
    /// How many bytes a condition has at most.
    static let longestCondition = 4000

    let name: String
    let reader: FileReader
    let state: FileState

    /// The classes with their counts.
    func classes() async throws -> ShownFile {
        // Before it is read: what is written meanwhile is then another state.
        let (state, name) = (state.text(), name)
        return try await reader.read { window in
            ShownFile(
                state: state,
                name: name,
                schemaVersion: "\(window.schemaVersion)",
                classes: try window.classes().map(ShownClass.init)
            )
        }
    }

    /// Some objects of a class.
    func objects(_ selection: RealmWindow.Selection) async throws -> ShownObjects {
        let state = state.text()
        return try await reader.read { window in
            let columns = try window.columns(of: selection.className)
            let total = try window.count(of: selection)
            var rows: [ShownObjects.Row] = []
            try window.forEachObject(of: selection, within: .row) { rows.append(.init($0, columns)) }
            return ShownObjects(state: state, columns: columns.map(ShownProperty.init), total: total, rows: rows)
        }
    }

    /// How an object is found.
    enum Place: Sendable {
        /// By its primary key.
        case key(String)
        /// By its row.
        case row(Int64)
    }

    /// One object.
    func object(of className: String, at place: Place) async throws -> ShownObject {
        let state = state.text()
        return try await reader.read { window in
            let columns = try window.columns(of: className)
            let object =
                switch place {
                case .key(let key): try window.object(of: className, key: key, within: .page)
                case .row(let row): try window.object(of: className, row: row, within: .page)
                }
            guard let object else { throw RealmBrowserError.missingObject(className: className) }
            return ShownObject(
                state: state,
                key: ShownKey(object.link).text,
                row: "\(object.link.row)",
                lines: columns.map {
                    .init(name: $0.name, type: $0.type, value: BrowsedValue(object[$0.name] ?? .null))
                }
            )
        }
    }
}
