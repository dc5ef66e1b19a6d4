import Daybook
import Foundation
import ObjectStoreTesting
import Testing

@Suite("Names that Foundation has, too")
struct SharedNameTests {
    @Test("what orders objects is named after the module that an app imports, or by its arguments")
    func order() {
        let order: Daybook.SortDescriptor = "name"
        let orders: [Daybook.SortDescriptor] = [order.reversed(), SortDescriptor(keyPath: \Person.name)]

        #expect(orders.map(\.keyPath) == ["name", "name"])
        #expect(orders.map(\.ascending) == [false, true])
    }
}
