import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
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
        "an object that lacks its key, has another property, or a value of another type, is refused",
        arguments: [
            ["flag": "1"], ["flag": "\"true\""], ["flag": "null"], ["text": "1"],
            ["text": #"{"$numberLong":"1"}"#], ["count": "5"], ["count": #"{"$numberLong":5}"#],
            ["count": #"{"$numberLong":"5.5"}"#], ["count": #"{"$numberLong":"9223372036854775808"}"#],
            ["count": #"{"$numberLong":"5","x":null}"#], ["rate": "1.5"], ["rate": #"{"$numberDouble":"x"}"#],
            ["at": #"{"$date":"1500"}"#], ["price": #"{"$numberDecimal":"x"}"#],
            ["bytes": #"{"$binary":{"base64":"*","subType":"00"}}"#],
            ["bytes": #"{"$binary":{"base64":"AQI=","subType":"04"}}"#],
            ["device": #"{"$binary":{"base64":"AQI=","subType":"04"}}"#],
            ["home": #"{"city":1,"lines":[]}"#], ["home": #"{"city":null,"lines":[],"x":null}"#], ["marks": "{}"],
            ["marks": "[null]"], ["tags": #"["a",1]"#], ["map": "[]"], ["map": #"{"a":"x"}"#], ["other": "null"],
            ["_id": nil], ["_id": #"{"$oid":"507f1f77bcf86cd799439012"}"#], ["_id": #""507f1f77bcf86cd799439011""#],
        ] as [[String: String?]]
    )
    func refused(members: [String: String?]) {
        #expect(Self.refusal(Self.document(members)) == .schema)
    }

    @Test(
        "an object of an earlier version of the program, whose class had fewer properties, is taken as others of it are"
    )
    func earlierVersion() {
        #expect(Self.refusal(Self.document(["flag": nil, "at": nil, "home": #"{"city":null}"#])) == nil)
        let bare = ExactText(#"{"_id":{"$oid":"\#(Self.id)"}}"#)
        #expect(Self.refusal(bare) == nil)
    }

    @Test(
        "what is no object of JSON is refused",
        arguments: ["", "null", "[]", "{", "1", "\"x\"", "{\"a\":1}"] as [ExactText]
    )
    func noObject(text: ExactText) {
        #expect(PostedDocument(text) == nil)
        #expect(Self.refusal(text) == .schema)
    }

    @Test(
        "what is no JSON is refused, whatever is wrong with it",
        arguments: [
            #"{"a":null,}"#, #"{"a":null "b":null}"#, #"{"a" null}"#, #"{a:null}"#, #"{"a":nul}"#, #"{"a":null}x"#,
            #"{"a":[null,]}"#, #"{"a":"x}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\ud800"}"#,
            #"{"a":"\ud800\u0041"}"#,
            #"{"a":"\udc00"}"#, "{\"a\":\"\n\"}", #"{"a":null,"a":null}"#, #"{"a":1e5}"#, #"{"a":-1}"#, "\u{FEFF}{}",
        ] as [ExactText]
    )
    func noJSON(text: ExactText) {
        #expect(PostedDocument(text) == nil)
    }

    @Test("escapes are read, and written in one way")
    func escapes() throws {
        let document = try #require(
            PostedDocument(#" { "a" : "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00" , "é":[ true , false ] } "#)
        )

        #expect(
            document
                == .members([
                    "a": .string("\"\\/\u{8}\u{C}\n\r\té\u{1F600}"), "é": .list([.bool(true), .bool(false)]),
                ])
        )
        #expect(document.text == #"{"a":"\"\\/\u0008\u000c\u000a\u000d\u0009é😀","é":[true,false]}"#)
        #expect(PostedDocument(ExactText(document.text)) == document)
    }

    @Test("every byte of a document may be cut or changed: it is read or refused, and what is read has one text")
    func fuzz() {
        let bytes = Array(Self.document().string.utf8)
        var random = SeededGenerator(seed: 5)
        for count in bytes.indices {
            #expect(PostedDocument(ExactText(String(decoding: bytes.prefix(count), as: UTF8.self))) == nil)
        }
        for _ in 0..<RandomRuns.mutants {
            var mutant = bytes
            mutant[random.below(mutant.count)] ^= 1 << UInt8(random.below(8))
            guard let read = PostedDocument(ExactText(String(decoding: mutant, as: UTF8.self))) else { continue }
            #expect(PostedDocument(ExactText(read.text)) == read)
        }
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
