import EventModel
import EventModelTesting
import Testing

@testable import AuditReview

@Suite("What the checks found")
struct FindingBookTests {
    private static let owner = EventOwner(app: "ward-app", user: "u")

    private static func subject(_ number: UInt32) -> CheckSubject {
        CheckSubject(.events, of: PartitionID(prefix: "ward", id: ObjectId(high: 1, low: number)))
    }

    private static func instant(_ seconds: Int64) -> EventInstant { EventInstant(microseconds: seconds * 1_000_000) }

    @Test("a finding has the time when it was found first, and ends when the same thing is good")
    func times() throws {
        let book = FindingBook()
        book.note(Self.subject(1), of: Self.owner, ["One."], at: Self.instant(1))
        book.note(Self.subject(1), of: Self.owner, ["Another."], at: Self.instant(2))
        #expect(book.page.findings.map(\.found) == [Self.instant(1)])
        #expect(book.page.findings.map(\.problems) == [["Another."]])
        #expect(book.page.findings.first?.owner == Self.owner)
        let changes = book.changes
        book.note(Self.subject(1), of: Self.owner, ["Another."], at: Self.instant(3))
        #expect(book.changes == changes, "nothing new is nothing to keep")

        // Another check of the same partition ends nothing.
        book.note(CheckSubject(.holding, of: Self.subject(1).partition), [], at: Self.instant(4))
        #expect(book.count == 1)
        book.note(Self.subject(1), [], at: Self.instant(5))
        #expect(book.count == 0 && book.changes > changes)
    }

    @Test("no more findings are kept than there is room for, and it is told until a whole pass found room")
    func bounds() {
        let book = FindingBook()
        let last = UInt32(FindingBook.maximumFindings) + 1
        for number in 1...last { book.note(Self.subject(number), of: Self.owner, ["Wrong."], at: Self.instant(1)) }
        #expect(book.count == FindingBook.maximumFindings && book.page.isCut)
        #expect(book.warnings.first == "Of at least 1000 partitions, what is stored is not what was received.")
        for number in 1...last { book.note(Self.subject(number), [], at: Self.instant(2)) }
        #expect(book.count == 0 && book.page.isCut)
        book.note(last: CheckPass(began: Self.instant(1)), current: nil)
        #expect(book.page.isCut, "it was found in the pass that ended now")
        book.note(last: CheckPass(began: Self.instant(2)), current: nil)
        #expect(!book.page.isCut)
    }

    @Test("a finding has five sentences at most, and says how many more there are")
    func sentences() {
        let finding = CheckFinding(Self.subject(1), of: nil, (1...7).map { "\($0)." }, found: Self.instant(1))
        #expect(finding.problems == ["1.", "2.", "3.", "4.", "5.", "There are 2 more of these."])
    }

    @Test("what is kept is read again, whatever its size, and never more than the file may have")
    func file() throws {
        let folder = try TestFolder.made()
        let file = CheckFile(folder.file("log-check.json"))
        #expect(try file.read() == nil)
        var content = CheckFile.Content()
        content.nextEntry = 7
        content.last = CheckPass(began: Self.instant(1))
        content.position = StoreCheck.Position(CheckPass(began: Self.instant(2)), after: Self.subject(3).partition)
        content.findings = [CheckFinding(Self.subject(1), of: Self.owner, ["Wrong."], found: Self.instant(1))]
        try file.write(content)
        #expect(try file.read() == content)

        let long = String(repeating: "x", count: 20_000)
        content.findings = (1...1000).map { CheckFinding(Self.subject($0), of: nil, [long], found: Self.instant(1)) }
        try file.write(content)
        let read = try #require(try file.read())
        #expect(read.isCut)
        #expect((1..<1000).contains(read.findings.count))
        #expect(read.position == content.position)
    }
}
