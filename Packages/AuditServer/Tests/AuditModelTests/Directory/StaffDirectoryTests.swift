import Testing

@testable import AuditModel

@Suite("The directory of staff")
struct StaffDirectoryTests {
    private func read(_ text: String) throws -> StaffDirectory { try StaffDirectory(reading: Array(text.utf8)) }

    private func told(_ directory: StaffDirectory, _ id: String) -> String? {
        directory.person(id).map { "\($0.name)|\($0.role ?? "-")|\($0.unit ?? "-")" }
    }

    @Test(
        "CSV is read with commas or semicolons, quotes, line breaks of any system, and columns in any order",
        arguments: [
            "id,name,role,unit\nada,Ada Berg,nurse,Ward 7\nbob,\"Berg, Bob\",,\n",
            "\u{FEFF}ID;Role;Name;Unit\r\nada;nurse;Ada Berg;Ward 7\r\nbob;;\"Berg, Bob\";",
            "unit,id,role,name,phone\nWard 7, ada ,nurse,Ada Berg,1\n\n,bob,,\"Berg, Bob\" ,\n",
        ]
    )
    func table(text: String) throws {
        let directory = try read(text)
        #expect(directory.count == 2)
        #expect(told(directory, "ada") == "Ada Berg|nurse|Ward 7")
        #expect(told(directory, "bob") == "Berg, Bob|-|-")
        #expect(told(directory, "Ada") == nil && told(directory, "") == nil)
    }

    @Test("quotes in quotes and lines in fields are read, and a later line takes the place of an earlier one")
    func quotes() throws {
        let directory = try read("id,name\na,\"The \"\"old\"\"\nname\"\nb,B\na,The new one\n")
        #expect(told(directory, "a") == "The new one|-|-")
        #expect(try told(read("id,name\na,\"The \"\"old\"\"\nname\"\n"), "a") == "The \"old\" name|-|-")
    }

    @Test("a Bundle of FHIR names practitioners under every id, with role and place")
    func practitioners() throws {
        let directory = try read(
            """
            {"resourceType":"Bundle","type":"collection","entry":[
             {"resource":{"resourceType":"Practitioner","id":"pr1","identifier":[{"system":"s","value":"ada"},{"value":"4711"}],
              "name":[{"family":"Berg","given":["Ada","M."],"prefix":["Dr."]}]}},
             {"resource":{"resourceType":"Practitioner","id":"pr2","name":[{"text":"Bob Holt"}]}},
             {"resource":{"resourceType":"Practitioner","id":"pr3"}},
             {"resource":{"resourceType":"Organization","id":"o","name":"Ward"}},
             {"resource":{"resourceType":"PractitionerRole","practitioner":{"reference":"Practitioner/pr1"},
              "code":[{"coding":[{"code":"224535009","display":"Registered nurse"}]}],"location":[{"display":"Ward 7"}]}}]}
            """
        )
        for id in ["pr1", "ada", "4711"] { #expect(told(directory, id) == "Dr. Ada M. Berg|Registered nurse|Ward 7") }
        #expect(told(directory, "pr2") == "Bob Holt|-|-")
        #expect(directory.count == 4)
    }

    @Test(
        "users of SCIM are named under every id, from an answer or from a list",
        arguments: [
            #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:ListResponse"],"totalResults":2,"Resources":USERS}"#,
            "USERS",
        ]
    )
    func users(form: String) throws {
        let users = """
            [{"id":"2819","userName":"ada","externalId":"e7","name":{"givenName":"Ada","familyName":"Berg"},"title":"nurse",
              "emails":[{"value":"ada@ward.example"}],
              "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"Ward 7"}},
             {"id":"2820","userName":"bob","displayName":"Bob Holt"},{"id":"2821","userName":"nameless"}]
            """
        let directory = try read(form.replacing("USERS", with: users))
        for id in ["2819", "ada", "e7", "ada@ward.example"] { #expect(told(directory, id) == "Ada Berg|nurse|Ward 7") }
        #expect(told(directory, "bob") == "Bob Holt|-|-")
        #expect(told(directory, "nameless") == nil)
    }

    @Test(
        "what is no directory is refused with what is wrong, and where",
        arguments: [
            ("", "the first line names the columns"), ("name,role\na,b", "the first line names the columns"),
            ("id,name\na", "line 2 has another number of fields"),
            ("id,name\n\n\na,b\n,c", "line 5 has no id or no name"),
            ("id,name\na,\"b", "begins in line 2 has no end"),
            ("id,name\na,\"b\"c", "in line 2 something stands behind"),
            ("{}", "neither CSV"), (#"{"resourceType":"Patient"}"#, "neither CSV"), ("[1]", "neither CSV"),
            ("{", "neither CSV"),
            ("id,name\n\(String(repeating: "a", count: 257)),b", "an id of 1 to 256 bytes"),
            ("id,name\na,\u{200B}\u{202E}", "each person has a name"),
        ]
    )
    func refused(text: String, reason: String) {
        let error = #expect(throws: AuditServerError.self) { try read(text) }
        #expect(error.map { "\($0)" }?.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("people are found by the beginnings of their names' words, and a name cannot turn the line around it")
    func finding() throws {
        let directory = try read("id,name\na,Ada Müller\nb,Bo Mueller\nc,\"Eve \u{202E}Holt\"\n")
        #expect(directory.people(named: "mül", limit: 10).map(\.id) == ["a", "b"])
        #expect(directory.people(named: "muell b", limit: 10).map(\.id) == ["b"])
        #expect(directory.people(named: "mu", limit: 1).map(\.id) == ["a"])
        #expect(directory.people(named: " ", limit: 10).isEmpty)
        #expect(told(directory, "c") == "Eve Holt|-|-")
    }

    @Test("bytes that are no text are refused, and not read as other letters")
    func bytes() {
        let error = #expect(throws: AuditServerError.self) {
            try StaffDirectory(reading: Array("id,name\na,b".utf8) + [0xFF])
        }
        #expect(error.map { "\($0)" }?.contains("not a text in UTF-8") == true)
    }

    @Test("whatever is cut off a directory, it is refused, or names people as the whole one does")
    func cut() throws {
        let bundle =
            #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Practitioner","id":"a","name":[{"text":"A"}]}}]}"#
        #expect(try told(read(bundle), "a") == "A|-|-")
        for count in 0..<bundle.utf8.count {
            #expect(throws: AuditServerError.self) { try read(String(bundle.prefix(count))) }
        }
        let table = "id,name\na,\"A, B\"\nd,\"E\"\n"
        var counts: Set<Int> = []
        for count in 0...table.utf8.count {
            guard let directory = try? read(String(table.prefix(count))) else { continue }
            counts.insert(directory.count)
            #expect(["A, B|-|-", nil].contains(told(directory, "a")) && ["E|-|-", nil].contains(told(directory, "d")))
        }
        #expect(counts == [0, 1, 2])
    }
}
