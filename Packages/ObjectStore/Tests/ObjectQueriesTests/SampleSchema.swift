import EventModel
import ObjectQueries

extension QuerySchema {
    /// People with dogs, which have toys: every kind of property and collection that a query can name.
    static let sample: QuerySchema = {
        let address = ClassShape(
            name: "Address",
            properties: [PropertyShape(name: "city", kind: .string, isOptional: true)],
            isEmbedded: true
        )
        let toy = ClassShape(name: "Toy", properties: [PropertyShape(name: "name", kind: .string)])
        let dog = ClassShape(
            name: "Dog",
            properties: [
                PropertyShape(name: "name", kind: .string),
                PropertyShape(name: "age", kind: .int),
                PropertyShape(name: "weight", kind: .decimal128, isOptional: true),
                PropertyShape(name: "toys", kind: .link, collection: .list, targetClass: "Toy"),
                PropertyShape(name: "mother", kind: .link, isOptional: true, targetClass: "Dog"),
            ]
        )
        let person = ClassShape(
            name: "Person",
            properties: [
                PropertyShape(name: "name", kind: .string),
                PropertyShape(name: "nick", columnName: "nick_name", kind: .string, isOptional: true),
                PropertyShape(name: "age", kind: .int, isOptional: true),
                PropertyShape(name: "score", kind: .double),
                PropertyShape(name: "ratio", kind: .float),
                PropertyShape(name: "active", kind: .bool),
                PropertyShape(name: "born", kind: .date, isOptional: true),
                PropertyShape(name: "token", kind: .uuid, isOptional: true),
                PropertyShape(name: "code", kind: .objectId, isOptional: true),
                PropertyShape(name: "price", kind: .decimal128, isOptional: true),
                PropertyShape(name: "photo", kind: .data, isOptional: true),
                PropertyShape(name: "extra", kind: .any, isOptional: true),
                PropertyShape(name: "dog", kind: .link, isOptional: true, targetClass: "Dog"),
                PropertyShape(name: "home", kind: .embedded, isOptional: true, embeddedShape: address),
                PropertyShape(name: "dogs", kind: .link, collection: .list, targetClass: "Dog"),
                PropertyShape(name: "scores", kind: .int, collection: .list),
                PropertyShape(name: "tags", kind: .string, collection: .set),
                PropertyShape(name: "notes", kind: .string, collection: .dictionary, isOptional: true),
            ]
        )
        return QuerySchema([person, dog, toy, address])
    }()
}
