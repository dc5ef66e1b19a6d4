import Foundation
import Testing

@testable import Ward

@Suite("ChartEntry")
struct ChartEntryTests {
    private func entry(_ json: String) throws(FHIRError) -> ChartEntry {
        try ChartEntry(line: Array(json.utf8))
    }

    @Test("a patient becomes values with an embedded name, a list of addresses and optional dates")
    func patient() throws {
        let entry = try entry(
            """
            {"resourceType":"Patient","id":"p","name":[{"use":"nickname","family":"N"},
            {"use":"official","family":"Brunner","given":["Elsa"]}],"birthDate":"1948-03-12",
            "address":[{"line":["Spitalgasse 1"],"city":"Bern"}]}
            """
        )

        let name = try #require(entry.value["name"] as? [String: Any])
        let addresses = try #require(entry.value["addresses"] as? [[String: Any]])
        #expect(entry.kind == .patient)
        #expect(name["family"] as? String == "Brunner")
        #expect(name["given"] as? [String] == ["Elsa"])
        #expect(entry.value["birthDate"] as? Date == Date(timeIntervalSince1970: -688_176_000))
        #expect(entry.value["deceased"] is NSNull)
        #expect(addresses.first?["city"] as? String == "Bern")
        #expect(addresses.first?["postalCode"] is NSNull)
    }

    @Test("an observation links to patient and visit by id, and has its number or its components")
    func observation() throws {
        let entry = try entry(
            """
            {"resourceType":"Observation","id":"o","status":"final","subject":{"reference":"urn:uuid:p"},
            "encounter":{"reference":"Encounter/e"},"code":{"coding":[{"code":"85354-9","display":"Blood pressure"}]},
            "component":[{"code":{"text":"Systolic","coding":[{"code":"8480-6"}]},
            "valueQuantity":{"value":118,"unit":"mm[Hg]"}}]}
            """
        )

        let components = try #require(entry.value["components"] as? [[String: Any]])
        #expect(entry.encounter == "e")
        #expect(entry.value["patient"] as? [String: String] == ["_id": "p"])
        #expect(entry.value["label"] as? String == "Blood pressure")
        #expect(entry.value["value"] is NSNull)
        #expect(components.first?["label"] as? String == "Systolic")
        #expect((components.first?["value"] as? NSNumber)?.doubleValue == 118)
    }

    @Test(
        "a bad line says what is wrong without showing the data",
        arguments: [
            ("{", FHIRError.notAnObject),
            ("[1]", .notAnObject),
            ("{}", .missingResourceType),
            (#"{"resourceType":"Device","id":"d"}"#, .unknownResourceType("Device")),
            (#"{"resourceType":"Patient"}"#, .missingElement(resource: "Patient", element: "id")),
            (
                #"{"resourceType":"Patient","id":"p","birthDate":"soon"}"#,
                .malformedDate(element: "birthDate")
            ),
            (
                #"{"resourceType":"Patient","id":"p","deceasedDateTime":12}"#,
                .malformedDate(element: "deceasedDateTime")
            ),
            (
                #"{"resourceType":"Encounter","id":"e","status":"planned"}"#,
                .missingElement(resource: "Encounter", element: "subject")
            ),
        ]
    )
    func badLines(json: String, error: FHIRError) {
        #expect(throws: error) { try entry(json) }
    }
}
