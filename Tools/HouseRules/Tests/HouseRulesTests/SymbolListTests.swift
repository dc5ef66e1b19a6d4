import Foundation
import Testing

@testable import HouseRules

@Suite("The symbols of RealmSwift")
struct SymbolListTests {
    private let graphs: SymbolGraphs

    init() throws {
        graphs = try SymbolGraphs([
            Data(
                """
                {"symbols": [
                    {"identifier": {"precise": "a"}, "pathComponents": ["List"], "accessLevel": "public"},
                    {"identifier": {"precise": "b"}, "pathComponents": ["Source"], "accessLevel": "public"},
                    {"identifier": {"precise": "c"}, "pathComponents": ["Source", "sorted(by:)"], "accessLevel": "public"},
                    {"identifier": {"precise": "d"}, "pathComponents": ["List", "hidden"], "accessLevel": "internal"}
                ], "relationships": [{"source": "a", "target": "b", "kind": "conformsTo"}]}
                """
                .utf8
            )
        ])
    }

    @Test("a symbol is there with its own name, or because its type conforms to what has it")
    func there() {
        #expect(graphs.has("List") && graphs.has("Source.sorted(by:)") && graphs.has("List.sorted(by:)"))
        #expect(!graphs.has("List.hidden") && !graphs.has("Map") && !graphs.has("Source.count"))
    }

    @Test("what the list says wrongly is told, in either direction")
    func errors() {
        let list = SymbolList(
            "List\nMap\nList.sorted(by:)\tUse something else.\nSet\t= Bag\nList.count\tunlisted\nBox\tThere is none.\n"
        )
        #expect(
            list.errors(in: graphs) == [
                "'Map' is not there, and the list does not say why.",
                "'List.sorted(by:)' is there, and the list says that it is not.",
                "'Set' is said to be 'Bag', which is not there.",
            ]
        )
        #expect(SymbolList("List\nBox\tThere is none.\n").errors(in: graphs).isEmpty)
    }

    @Test("the article has a row for each symbol")
    func article() {
        let article = SymbolList("List\nBox\tThere is none.\nSet\t= Source\nList.count\tunlisted\n").article
        #expect(article.contains("4 symbols of its public reference, of which 3 are here."))
        #expect(
            article.hasSuffix(
                "| `List` | yes |\n| `Box` | no. There is none. |\n| `Set` | as `Source` |\n| `List.count` | yes |\n"
            )
        )
    }
}
