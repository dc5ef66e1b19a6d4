import ChangeModel
import ChangeModelTesting
import EventModel

/// Everything that a state says of some objects, so that two states can be compared whatever keeps them.
struct RealmStateReport: Equatable {
    private struct Contents: Equatable {
        let existence: Existence
        let cells: [CellPath: Cell]
        let values: [CellPath: CellValue]
        let lists: [CellPath: [ElementID]]
        let elements: [CellAddress: ListElement]
        let clearings: [CellPath: Stamp]
        let referrers: [CellAddress]
        let literals: [ChangeOperation]
    }

    private let head: Int
    private let objects: [ObjectAddress: Contents]

    init(_ state: some RealmState, of objects: [ObjectAddress]) {
        head = state.head
        var report: [ObjectAddress: Contents] = [:]
        for object in objects { report[object] = Self.contents(of: object, in: state) }
        self.objects = report
    }

    private static func contents(of object: ObjectAddress, in state: some RealmState) -> Contents {
        var cells: [CellPath: Cell] = [:]
        var values: [CellPath: CellValue] = [:]
        var lists: [CellPath: [ElementID]] = [:]
        var elements: [CellAddress: ListElement] = [:]
        var clearings: [CellPath: Stamp] = [:]
        for path in state.cellPaths(below: CellAddress(object, CellPath(steps: []))) {
            let address = CellAddress(object, path)
            cells[path] = state.cell(at: address)
            values[path] = state.literalValue(at: address)
            clearings[path.parent] = state.clearing(of: address.parent)
            guard case .element(let id) = path.steps.last else { continue }
            elements[address] = state.element(id, of: address.parent)
            lists[path.parent] = lists[path.parent] ?? state.elements(of: address.parent)
        }
        return Contents(
            existence: state.existence(of: object),
            cells: cells,
            values: values,
            lists: lists,
            elements: elements,
            clearings: clearings,
            referrers: state.referrers(of: object),
            literals: state.literals(of: object)
        )
    }
}
