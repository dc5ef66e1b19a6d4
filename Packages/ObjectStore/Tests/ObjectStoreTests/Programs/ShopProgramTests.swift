import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

// A shop as it is written for RealmSwift: products with tags and attributes, orders with embedded lines, customers.

private enum ShopCategory: String, PersistableEnum {
    case book, food, toy
}

private enum OrderStatus: Int, PersistableEnum {
    case placed, paid, shipped
}

private class ShopProduct: Object {
    @Persisted(primaryKey: true) var sku = ""
    @Persisted(indexed: true) var title: String
    @Persisted var price: Decimal128
    @Persisted(indexed: true) var category = ShopCategory.book
    @Persisted var stock = 0
    @Persisted var tags: MutableSet<String>
    @Persisted var attributes: Map<String, AnyRealmValue>
    @Persisted var replacement: ShopProduct?

    convenience init(sku: String, title: String, price: Decimal128, category: ShopCategory, stock: Int) {
        self.init()
        self.sku = sku
        self.title = title
        self.price = price
        self.category = category
        self.stock = stock
    }
}

private class ShopOrderLine: EmbeddedObject {
    @Persisted var product: ShopProduct?
    @Persisted var quantity = 1
    @Persisted var unitPrice: Decimal128
    var total: Decimal128 { unitPrice * Decimal128(Int64(quantity)) }
}

private class ShopOrder: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var placedAt = Date(timeIntervalSince1970: 0)
    @Persisted var status: OrderStatus
    @Persisted var lines: List<ShopOrderLine>
    @Persisted var customer: ShopCustomer?
    @Persisted var note: String?
    var total: Decimal128 { lines.reduce(0) { $0 + $1.total } }
}

private class ShopCustomer: Object {
    @Persisted(primaryKey: true) var email: String
    @Persisted var name: String
    @Persisted var birthday: Date?
    @Persisted(originProperty: "customer") var orders: LinkingObjects<ShopOrder>
}

/// The part of the program that knows the rules of the shop.
private struct Shop {
    enum Failure: Error, Equatable { case soldOut(String) }

    let realm: Realm

    @discardableResult
    func order(_ wanted: [(sku: String, quantity: Int)], for email: String) throws -> ShopOrder {
        try realm.write {
            let order = ShopOrder()
            order.customer = realm.object(ofType: ShopCustomer.self, forPrimaryKey: email)
            realm.add(order)
            for (sku, quantity) in wanted {
                guard let product = realm.object(ofType: ShopProduct.self, forPrimaryKey: sku) else { continue }
                guard product.stock >= quantity else { throw Failure.soldOut(sku) }
                product.stock -= quantity
                let line = ShopOrderLine()
                line.product = product
                line.quantity = quantity
                line.unitPrice = product.price
                order.lines.append(line)
            }
            return order
        }
    }

    func advance(_ order: ShopOrder) throws {
        try realm.write {
            order.status = OrderStatus(rawValue: order.status.rawValue + 1) ?? .shipped
        }
    }
}

@Suite("Program: a shop")
struct ShopProgramTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let shop: Shop

    init() throws {
        file = try TemporaryRealm([ShopProduct.self, ShopOrderLine.self, ShopOrder.self, ShopCustomer.self])
        realm = try file.open()
        shop = Shop(realm: realm)
        try realm.write {
            realm.add([
                ShopProduct(sku: "b1", title: "Der Zauberberg", price: 12.5, category: .book, stock: 3),
                ShopProduct(sku: "b2", title: "Ulysses", price: 20, category: .book, stock: 0),
                ShopProduct(sku: "f1", title: "Äpfel", price: 0.25, category: .food, stock: 100),
                ShopProduct(sku: "t1", title: "Kite", price: 19.99, category: .toy, stock: 7),
            ])
            realm.create(ShopCustomer.self, value: ["email": "ada@example.com", "name": "Ada"])
            realm.create(ShopCustomer.self, value: ["bob@example.com", "Bob", Date(timeIntervalSince1970: 86_400)])
        }
    }

    private func product(_ sku: String) throws -> ShopProduct {
        try #require(realm.object(ofType: ShopProduct.self, forPrimaryKey: sku))
    }

    @Test("an order takes from the stock, keeps its price, and the customer finds it again")
    func ordering() throws {
        let order = try shop.order([("b1", 2), ("f1", 10)], for: "ada@example.com")
        try realm.write { try product("b1").price = 99 }

        #expect(order.total == 27.5)
        #expect(try product("b1").stock == 1)
        #expect(order.customer?.name == "Ada")
        #expect(order.customer?.orders.count == 1)
        #expect(order.customer?.orders.first == order)
        #expect(order.lines[0].product?.title == "Der Zauberberg")
        #expect(realm.objects(ShopOrder.self).where { $0.lines.product.sku == "f1" }.count == 1)
    }

    @Test("an order that cannot be filled leaves nothing behind and throws the program's error")
    func soldOut() throws {
        #expect(throws: Shop.Failure.soldOut("b2")) {
            try shop.order([("b1", 1), ("f1", 50), ("b2", 1)], for: "bob@example.com")
        }

        #expect(realm.objects(ShopOrder.self).isEmpty)
        #expect(try product("b1").stock == 3)
        #expect(try product("f1").stock == 100)
        #expect(!realm.isInWriteTransaction)
    }

    @Test("products are found by words, categories, prices and numbers in both query languages")
    func searching() throws {
        let all = realm.objects(ShopProduct.self)
        func skus(_ products: Results<ShopProduct>) -> [String] { products.sorted(byKeyPath: "sku").map(\.sku) }

        #expect(skus(all.where { $0.category == .book && $0.stock > 0 }) == ["b1"])
        #expect(skus(all.filter("category == %@ AND stock > 0", ShopCategory.book)) == ["b1"])
        #expect(skus(all.filter("category == 'toy' OR title BEGINSWITH[c] 'ulY'")) == ["b2", "t1"])
        #expect(skus(all.where { $0.title.contains("äpf", options: .caseInsensitive) }) == ["f1"])
        #expect(
            skus(all.where { $0.title.starts(with: "ap", options: [.caseInsensitive, .diacriticInsensitive]) }) == [
                "f1"
            ]
        )
        #expect(skus(all.where { $0.price.contains(12.5...20) }) == ["b1", "b2", "t1"])
        #expect(skus(all.filter("price BETWEEN {0, 12.5}")) == ["b1", "f1"])
        #expect(skus(all.where { $0.category.in([.food, .toy]) }) == ["f1", "t1"])
        #expect(skus(all.filter("sku IN %@", ["b1", "t1", "zz"])) == ["b1", "t1"])
        #expect(skus(all.where { !($0.category == .book) }) == ["f1", "t1"])
        #expect(all.filter("title LIKE '*y*'").count == 1)
    }

    @Test("lists are sorted by several properties, and totals are made by the database")
    func sorting() throws {
        let all = realm.objects(ShopProduct.self)
        let sorted = all.sorted(by: [
            SortDescriptor(keyPath: "category", ascending: false), SortDescriptor(keyPath: \ShopProduct.price),
        ])

        #expect(sorted.map(\.sku) == ["t1", "f1", "b1", "b2"])
        #expect(all.sorted(by: \.stock, ascending: false).first?.sku == "f1")
        #expect(all.sum(of: \.stock) == 110)
        #expect(all.sum(ofProperty: "stock") as Int == 110)
        #expect(all.max(of: \.price) == 20)
        #expect(all.min(ofProperty: "price") as Decimal128? == 0.25)
        #expect(all.average(of: \.stock) == 27.5)
        #expect(all.distinct(by: ["category"]).count == 3)
        #expect(all.distinct(by: [\.category]).count == 3)
    }

    @Test("tags and attributes of a product are searched, changed and read again after opening the file anew")
    func attributes() throws {
        try realm.write {
            let kite = try product("t1")
            kite.tags.insert(objectsIn: ["outdoor", "wind", "outdoor"])
            kite.attributes["weight"] = .double(0.4)
            kite.attributes["colour"] = .string("red")
            kite.attributes["sizes"] = .fromArray([.int(1), .string("XL")])
            kite.attributes["goesWith"] = .object(try product("b1"))
            kite.replacement = try product("b1")
        }
        let all = realm.objects(ShopProduct.self)
        #expect(all.where { $0.tags.contains("wind") }.count == 1)
        #expect(all.filter("ANY tags == 'wind'").first?.sku == "t1")
        #expect(all.filter("attributes['colour'] == 'red'").count == 1)
        #expect(all.where { $0.attributes["colour"] == .string("red") }.count == 1)
        #expect(all.where { $0.replacement.stock > 1 }.first?.sku == "t1")
        #expect(all.where { $0.replacement == nil }.count == 3)

        realm.invalidate()
        let again = try file.open()
        let kite = try #require(again.object(ofType: ShopProduct.self, forPrimaryKey: "t1"))
        #expect(Set(kite.tags) == ["outdoor", "wind"])
        #expect(kite.attributes["weight"]?.doubleValue == 0.4)
        #expect(kite.attributes["sizes"]?.listValue?.count == 2)
        #expect(kite.attributes["goesWith"]?.object(ShopProduct.self)?.sku == "b1")
        #expect(kite.attributes.keys.sorted() == ["colour", "goesWith", "sizes", "weight"])
        #expect(kite.replacement?.title == "Der Zauberberg")
    }

    @Test("a cancelled order goes with its lines, the products stay")
    func cancelling() throws {
        let order = try shop.order([("b1", 1), ("t1", 1)], for: "ada@example.com")
        let line = try #require(order.lines.first)

        try realm.write { realm.delete(order) }

        #expect(order.isInvalidated)
        #expect(line.isInvalidated)
        #expect(realm.objects(ShopProduct.self).count == 4)
        #expect(realm.object(ofType: ShopCustomer.self, forPrimaryKey: "ada@example.com")?.orders.isEmpty == true)
    }

    @Test("a product that is taken out of the shop leaves lines without a product")
    func removedProduct() throws {
        let order = try shop.order([("b1", 1), ("t1", 2)], for: "ada@example.com")

        try realm.write { realm.delete(try product("t1")) }

        #expect(order.lines.count == 2)
        #expect(order.lines[1].product == nil)
        #expect(order.lines[1].quantity == 2)
        #expect(order.total == 52.48)
    }

    @Test("a price list from the network updates what is there and keeps what it does not mention")
    func priceList() throws {
        let json = #"[{"sku": "b1", "price": 10}, {"sku": "n1", "title": "New", "price": "3.5", "category": "toy"}]"#
        let list = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])

        try realm.write {
            for entry in list { realm.create(ShopProduct.self, value: entry, update: .modified) }
        }

        #expect(try product("b1").price == 10)
        #expect(try product("b1").stock == 3)
        #expect(try product("n1").category == .toy)
        #expect(try product("n1").stock == 0)
        #expect(throws: Realm.Error.self) {
            try realm.write { realm.create(ShopProduct.self, value: ["sku": "x", "category": "boat"]) }
        }
        #expect(realm.objects(ShopProduct.self).count == 5)
    }

    @Test("orders move on through their states, and each state has its list")
    func states() throws {
        let first = try shop.order([("f1", 1)], for: "ada@example.com")
        let second = try shop.order([("f1", 2)], for: "bob@example.com")
        let paid = realm.objects(ShopOrder.self).where { $0.status == .paid }
        #expect(paid.isEmpty)

        try shop.advance(first)
        #expect(paid.first == first)
        try shop.advance(first)
        try shop.advance(second)

        #expect(paid.map(\._id) == [second._id])
        #expect(realm.objects(ShopOrder.self).filter("status == %@", OrderStatus.shipped).first?._id == first._id)
        #expect(realm.objects(ShopOrder.self).where { $0.status.rawValue >= 1 }.count == 2)
        #expect(realm.objects(ShopOrder.self).where { $0.customer.email.ends(with: "example.com") }.count == 2)
        #expect(realm.objects(ShopCustomer.self).where { $0.orders.status == .shipped }.first?.name == "Ada")
        #expect(realm.objects(ShopOrder.self).where { ($0.lines.quantity > 1).count == 1 }.first == second)
        #expect(realm.objects(ShopCustomer.self).filter("orders.@count == 1").count == 2)
    }
}
