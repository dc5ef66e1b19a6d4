import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Objects that are posted")
struct PostedDocumentTests {
    private static let id = "507f1f77bcf86cd799439011"
    private static let key = (try? ObjectId(string: id)).map { PrimaryKey.objectId($0) } ?? .null
    private static let members = [
        "_id": #"{"$oid":"\#(id)"}"#, "flag": "true", "text": #""a\"é""#, "count": #"{"$numberLong":"-5"}"#,
        "rate": #"{"$numberDouble":"NaN"}"#, "at": #"{"$date":{"$numberLong":"1500"}}"#,
        "price": #"{"$numberDecimal":"1.50"}"#, "bytes": #"{"$binary":{"base64":"AQI=","subType":"00"}}"#,
        "device": #"{"$binary":{"base64":"AAAAAAAAAAAAAAAAAAAAAQ==","subType":"04"}}"#,
        "home": #"{"city":null,"lines":["x"]}"#, "marks": #"[{"$numberLong":"1"}]"#, "tags": #"["a","b"]"#,
        "map": #"{"$b":{"$numberLong":"2"},"a":null}"#,
    ]

    /// An object with some members in place of those that fit; nil takes one out.
    private static func document(_ other: [String: String?] = [:]) -> ExactText {
        let all = members.map { ($0, Optional($1)) }.reduce(into: [:]) { $0[$1.0] = $1.1 }
            .merging(other) { $1 }
            .compactMapValues { $0 }
        return ExactText("{" + all.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}")
    }

    private static func refusal(_ document: ExactText, key: PrimaryKey = key) -> OperationRefusal? {
        SyncSchema.sample.refusal(of: ChangeOperation(ObjectAddress("Reading", key), .post(document)))
    }

    @Test("an object with all of its properties, each of its type, is taken, and has one text")
    func fits() throws {
        #expect(Self.refusal(Self.document()) == nil)
        #expect(Self.refusal(Self.document(["home": "null", "text": "null", "map": "{}", "marks": "[]"])) == nil)
        let spaced = ExactText(Self.document().string.replacing(",", with: " , "))
        #expect(PostedDocument(spaced)?.text == PostedDocument(Self.document())?.text)
        #expect(PostedDocument(Self.document())?.text == Self.document().string)
    }

    @Test(
        "an object that lacks a property, has another one, or a value of another type, is refused",
        arguments: [
            ["flag": nil], ["flag": "1"], ["flag": "\"true\""], ["flag": "null"], ["text": "1"],
            ["text": #"{"$numberLong":"1"}"#], ["count": "5"], ["count": #"{"$numberLong":5}"#],
            ["count": #"{"$numberLong":"5.5"}"#], ["count": #"{"$numberLong":"9223372036854775808"}"#],
            ["count": #"{"$numberLong":"5","x":null}"#], ["rate": "1.5"], ["rate": #"{"$numberDouble":"x"}"#],
            ["at": #"{"$date":"1500"}"#], ["price": #"{"$numberDecimal":"x"}"#],
            ["bytes": #"{"$binary":{"base64":"*","subType":"00"}}"#],
            ["bytes": #"{"$binary":{"base64":"AQI=","subType":"04"}}"#],
            ["device": #"{"$binary":{"base64":"AQI=","subType":"04"}}"#], ["home": #"{"city":null}"#],
            ["home": #"{"city":1,"lines":[]}"#], ["home": #"{"city":null,"lines":[],"x":null}"#], ["marks": "{}"],
            ["marks": "[null]"], ["tags": #"["a",1]"#], ["map": "[]"], ["map": #"{"a":"x"}"#], ["other": "null"],
            ["_id": nil], ["_id": #"{"$oid":"507f1f77bcf86cd799439012"}"#], ["_id": #""507f1f77bcf86cd799439011""#],
        ] as [[String: String?]]
    )
    func refused(members: [String: String?]) {
        #expect(Self.refusal(Self.document(members)) == .schema)
    }

    @Test(
        "what is no object of JSON is refused",
        arguments: ["", "null", "[]", "{", "1", "\"x\"", "{\"a\":1}"] as [ExactText]
    )
    func noObject(text: ExactText) {
        #expect(PostedDocument(text) == nil)
        #expect(Self.refusal(text) == .schema)
    }

    @Test("a document that goes very deep is refused, and no more")
    func deep() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(Self.refusal(Self.document(["marks": deep])) == .schema)
    }

    @Test("objects of other classes are not posted, and those of asymmetric ones are not written")
    func classes() throws {
        let reading = ObjectAddress("Reading", Self.key)
        #expect(SyncSchema.sample.refusal(of: ChangeOperation(person, .post("{}"))) == .schema)
        #expect(SyncSchema.sample.refusal(of: reading.create()) == .schema)
        #expect(SyncSchema.sample.refusal(of: reading.set("flag", .bool(true))) == .schema)
        #expect(SyncSchema.sample.refusal(of: reading.delete()) == .schema)
    }

    @Test("a document above the limits is too large")
    func tooLarge() {
        let text = String(repeating: "x", count: ChangeLimits.valueBytes)
        #expect(Self.refusal(Self.document(["text": "\"\(text)\""])) == .tooLarge)
    }
}
