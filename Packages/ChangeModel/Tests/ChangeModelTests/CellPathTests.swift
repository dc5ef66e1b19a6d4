import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Paths of cells")
struct CellPathTests {
    private static let life = CellPath.Step.life(.sample(1))
    private static let element = CellPath.Step.element(.sample(2))

    @Test(
        "a property, an entry and an element are cells, also inside of lives",
        arguments: [
            [.property("name")], [.property("map"), .key("k")], [.property("list"), element],
            [.property("address"), life, .property("city")], [.property("any"), life, .key("k"), life, element],
        ] as [[CellPath.Step]]
    )
    func cells(steps: [CellPath.Step]) {
        #expect(CellPath(steps: steps).isCell)
    }

    @Test(
        "what does not begin with a property, or skips the life on its way, is neither cell nor collection",
        arguments: [
            [], [life], [element], [.key("k"), life], [.property("a"), .property("b")],
            [.property("list"), element, .property("b")], [.property("any"), life, life],
            [.property("set"), .member(.int(1)), life],
        ] as [[CellPath.Step]]
    )
    func malformed(steps: [CellPath.Step]) {
        #expect(!CellPath(steps: steps).isCell)
        #expect(!CellPath(steps: steps).isCollection)
    }

    @Test("a path that is deeper than the limit is none")
    func depth() {
        let nested = (0..<CellPath.maximumDepth).map { $0.isMultiple(of: 2) ? CellPath.Step.key("k") : Self.life }
        let steps = [.property("any"), Self.life] + nested

        #expect(!CellPath(steps: steps).isCell)
        #expect(CellPath(steps: Array(steps.prefix(CellPath.maximumDepth - 1))).isCell)
    }

    @Test("a path is above those that begin with it, and before them")
    func order() {
        let list: CellPath = "list"
        let below = list.appending(Self.element)

        #expect(below.isBelow(list))
        #expect(!list.isBelow(list))
        #expect(list < below)
        #expect(below.parent == list)
    }

    @Test("texts that look the same in Unicode and differ in bytes are two keys")
    func unicode() {
        let composed = CellPath("map").appending(.key("\u{e9}"))
        let decomposed = CellPath("map").appending(.key("e\u{301}"))

        #expect(composed != decomposed)
        #expect(CellValue.string("\u{e9}") != CellValue.string("e\u{301}"))
    }

    @Test("numbers that are not numbers equal themselves, and zeros of both signs differ")
    func bits() {
        #expect(CellValue.double(.nan) == .double(.nan))
        #expect(CellValue.double(0) != .double(-0.0))
    }

    @Test("an element has between 1 and 63 bits", arguments: [UInt64(0), 1 << 63, .max])
    func elementBits(bits: UInt64) {
        #expect(ElementID(bits: bits) == nil)
    }

    @Test("random elements differ")
    func randomElements() {
        var generator = SystemRandomNumberGenerator()

        #expect(Set((0..<1000).map { _ in ElementID.random(using: &generator) }).count == 1000)
    }
}
