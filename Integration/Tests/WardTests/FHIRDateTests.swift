import Foundation
import Testing

@testable import Ward

@Suite("FHIR dates")
struct FHIRDateTests {
    @Test(
        "a year, a month, a day and an instant become an instant",
        arguments: [
            ("1970", 0.0),
            ("1970-02", 2_678_400),
            ("1970-01-02", 86_400),
            ("1970-01-01T00:00:01Z", 1),
            ("1970-01-01T02:00:00.25+02:00", 0.25),
            ("1969-12-31T23:00:00-01:00", 0),
            ("2011-06-30T13:27:37.761+00:00", 1_309_440_457.761),
        ]
    )
    func valid(text: String, seconds: Double) {
        #expect(FHIRDate.date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "other texts are refused",
        arguments: [
            "", "70", "1970-13", "1970-02-30", "1970-1-1", "1970-01-01T25:00:00Z", "1970-01-01T00:00:00",
            "1970-01T00:00:00Z", "1970-01-01T00:00:00+2", "yesterday",
        ]
    )
    func invalid(text: String) {
        #expect(FHIRDate.date(text) == nil)
    }
}
