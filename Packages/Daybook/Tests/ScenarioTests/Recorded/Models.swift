import Daybook

/// An object with a property of every type; what it holds at first is ``populated(_:)``.
final class Record: Object {
    static let types: [ObjectBase.Type] = [Record.self, Holder.self, Target.self, Note.self]

    @Persisted(primaryKey: true) var _id: Int
    @Persisted var int: Int?
    @Persisted var bool: Bool?
    @Persisted var string: String?
    @Persisted var data: Data?
    @Persisted var date: Date?
    @Persisted var float: Float?
    @Persisted var double: Double?
    @Persisted var objectId: ObjectId?
    @Persisted var uuid: UUID?
    @Persisted var decimal: Decimal128?
    @Persisted var mixed: AnyRealmValue
    @Persisted var intList: List<Int?>
    @Persisted var intSet: MutableSet<Int?>
    @Persisted var intMap: Map<String, Int?>
    @Persisted var link: Target?
    @Persisted var linkList: List<Target>
    @Persisted var linkSet: MutableSet<Target>
    @Persisted var linkMap: Map<String, Target?>
    @Persisted var embedded: Note?
    @Persisted var embeddedList: List<Note>
    @Persisted var embeddedMap: Map<String, Note?>

    static func populated(_ id: Int) -> Record {
        let record = Record()
        record._id = id
        record.int = 3
        record.bool = true
        record.string = "text"
        record.data = Data([1, 2, 3])
        record.date = Date(timeIntervalSince1970: 1_500_000_000.123)
        record.float = 1.1
        record.double = 2.5
        record.objectId = ObjectId("62b38b3c10846041166f5deb")
        record.uuid = UUID(uuidString: "3B241101-E2BB-4255-8CAF-4136C566A962")
        record.mixed = .string("any")
        record.intList.append(objectsIn: [1, nil, 3])
        record.intSet.insert(objectsIn: [4, nil])
        record.intMap["a"] = .some(5)
        record.intMap["b"] = .some(nil)
        record.embedded = Note(value: ["value": 6])
        record.embeddedList.append(Note(value: ["value": 7]))
        record.embeddedMap["c"] = Note(value: ["value": 8])
        return record
    }

    /// What a populated record without links is as JSON, but for `_id` and `bool`, which come first.
    static let populatedRest = #"""
        "date":"2017-07-14T02:40:00.123Z","decimal":null,"double":2.5,"embedded":{"value":6},"embeddedList":[{"value":7}],\#
        "embeddedMap":{"c":{"value":8}},"float":1.100000023841858,"int":3,"intList":[1,null,3],"intMap":{"a":5,"b":null},\#
        "intSet":[null,4],"link":null,"linkList":[],"linkMap":{},"linkSet":[],"mixed":"any",\#
        "objectId":"62b38b3c10846041166f5deb","string":"text","uuid":"3b241101-e2bb-4255-8caf-4136c566a962"
        """#
}

/// An object with a link of each kind to targets, and an embedded object.
final class Holder: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var link: Target?
    @Persisted var list: List<Target>
    @Persisted var map: Map<String, Target?>
    @Persisted var note: Note?
    @Persisted var set: MutableSet<Target>

    /// Holder 1, whose link leads to target 1, the list to 2 and 3, the map to 4 and 5, the set to 6 and 7.
    static func linked() -> Holder {
        let holder = Holder()
        holder._id = 1
        holder.link = Target(1)
        holder.list.append(objectsIn: [Target(2), Target(3)])
        holder.map["a"] = Target(4)
        holder.map["b"] = Target(5)
        holder.set.insert(objectsIn: [Target(6), Target(7)])
        return holder
    }

    /// The JSON of the linked holder: all links as keys but for those that are given in full.
    static func json(
        link: String = "1",
        list: String = "2,3",
        map: (String, String) = ("4", "5"),
        note: String = "null",
        set: String = "6,7"
    ) -> String {
        #"{"_id":1,"link":\#(link),"list":[\#(list)],"map":{"a":\#(map.0),"b":\#(map.1)},"note":\#(note),"set":[\#(set)]}"#
    }
}

/// What links lead to; its value is ten times its key at first.
final class Target: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var value: Int

    convenience init(_ id: Int) {
        self.init()
        _id = id
        value = id * 10
    }

    /// The JSON of targets that were not changed.
    static func json(_ ids: Int...) -> String {
        ids.map { #"{"_id":\#($0),"value":\#($0 * 10)}"# }.joined(separator: ",")
    }
}

/// An embedded object.
final class Note: EmbeddedObject {
    @Persisted var value: Int
}
