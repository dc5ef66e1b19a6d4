import EventModel
import EventModelTesting
import EventProofs
import Testing

@testable import AuditModel
@testable import AuditReview

@Suite("What auditors keep together")
struct ReviewBookTests {
    private static let partition = PartitionID(prefix: "auditors", id: ObjectId(high: 1, low: 1))

    private static func place(_ number: Int) -> EntryPlace {
        EntryPlace(
            time: EventInstant(microseconds: Int64(number) * 1_000_000),
            id: ObjectId(high: 2, low: UInt32(number)),
            address: EventAddress(partition: partition, sequence: UInt64(number))
        )
    }

    private static func view(_ name: String, id: String = "v") throws -> SavedView {
        SavedView(
            id: id,
            name: name,
            query: "",
            isShared: true,
            owner: .folder,
            scope: AppScope(of: EventFilter(), for: .all)
        )
    }

    private static func review() throws -> Review {
        Review(
            id: "r",
            view: "v",
            name: "Nights",
            query: "",
            scope: AppScope(of: EventFilter(), for: .all),
            schedule: try #require(ReviewSchedule(.daily, zone: "UTC")),
            who: nil,
            begins: EventInstant(microseconds: 0),
            author: .folder
        )
    }

    private static func signOff(through seconds: Int64) -> SignOff {
        SignOff(
            review: "r",
            query: "",
            from: EventInstant(microseconds: 0),
            through: EventInstant(microseconds: seconds * 1_000_000),
            events: 1,
            alerts: 0,
            logSize: 0,
            logRoot: MerkleHash.empty,
            outcome: .noFinding,
            note: nil,
            author: .folder
        )
    }

    static func alert(_ subject: String, at seconds: Int64 = 1) -> Alert {
        let time = EventInstant(microseconds: seconds * 1_000_000)
        let owner = EventOwner(app: "ward-app", user: "aa")
        return Alert(rule: "nights", .afterHours, of: owner, subject: [subject], from: time, through: time)
    }

    private static func registration(of user: String) throws -> KeyRegistration {
        let server = try EdwardsNoteSigner(name: KeySuccession.signerName, algorithm: .ed25519)
        let (owner, time) = (EventOwner(app: "ward-app", user: user), EventInstant(microseconds: 1_700_000_000_000_000))
        let claim = try DeviceKeyClaim(of: DeviceKey(), for: owner, to: server.verifierKey.publicKey, at: time)
        return KeyRegistration(try DeviceRegistration(claim, receivedAt: time, signedBy: server))
    }

    private static func acknowledgement(_ reason: String, of alert: Alert) -> ReviewEntry {
        .acknowledgement(Acknowledgement(alert: alert.id, reason: reason, author: .folder))
    }

    /// Folds entries, each at the place of its number, in the order of the numbers given.
    private static func book(_ entries: [ReviewEntry], _ order: [Int]) -> ReviewBook {
        var book = ReviewBook()
        for index in order { book.apply(entries[index], at: place(index + 1)) }
        return book
    }

    @Test("entries make the same book in every order, and however often each comes")
    func everyOrder() throws {
        let (first, second) = (Self.alert("a"), Self.alert("b"))
        let subject = NoteSubject.partition(Self.partition)
        let keys = try [Self.registration(of: "aa"), Self.registration(of: "aa"), Self.registration(of: "a\u{301}a")]
        let entries: [ReviewEntry] = [
            .view(try Self.view("old")), .view(try Self.view("new")), .view(try Self.view("gone", id: "w")),
            .viewDeletion("w"), .note(Note(subject: subject, text: "one", author: .folder)),
            .note(Note(subject: subject, text: "two", author: .folder)), .review(try Self.review()),
            .signOff(Self.signOff(through: 10)), .signOff(Self.signOff(through: 20)), .alert(first), .alert(first),
            .alert(second), Self.acknowledgement("seen", of: first), Self.acknowledgement("seen again", of: first),
            .ruleStart(RuleStart(rule: "nights", since: EventInstant(microseconds: 5))),
            .ruleStart(RuleStart(rule: "nights", since: EventInstant(microseconds: 9))),
            .registration(keys[0]), .registration(keys[1]), .registration(keys[0]), .registration(keys[2]),
        ]
        let expected = Self.book(entries, Array(entries.indices))
        var generator = SeededGenerator(seed: 11)

        for _ in 0..<200 {
            let order = (Array(entries.indices) + Array(entries.indices)).shuffled(using: &generator)
            #expect(Self.book(entries, order) == expected, "\(order)")
        }
        #expect(expected.views.map(\.value.name) == ["new"])
        #expect(expected.notes[subject] == [Self.place(5), Self.place(6)])
        #expect(expected.noteCount == 2)
        #expect(expected.covered(of: try Self.review()).microseconds == 20_000_000)
        #expect(expected.alerts[first.id]?.place == Self.place(10))
        #expect(expected.alerts[first.id]?.acknowledged?.value.reason == "seen")
        #expect(expected.alerts(for: .all, isOpen: true).map(\.alert) == [second])
        #expect(expected.registrations[keys[0].name] == Self.place(17), "of several the first counts")
        #expect(expected.registrations.count(of: keys[0].name.owner) == 2)
        #expect(expected.registrations.count(ofApp: "ward-app") == 3)
        let page = expected.registrations.page(behind: (Self.place(17).time, Self.place(17).id), limit: 9)
        #expect(page.map(\.value) == [keys[1].name, keys[2].name])
        #expect(expected.ruleStarts == ["nights": EventInstant(microseconds: 5)])
    }

    @Test("a view that was deleted and a review that ended do not come back by a late entry")
    func ends() throws {
        var book = ReviewBook()
        book.apply(.viewDeletion("v"), at: Self.place(1))
        book.apply(.reviewEnd("r"), at: Self.place(2))
        book.apply(.view(try Self.view("late")), at: Self.place(3))
        book.apply(.review(try Self.review()), at: Self.place(4))

        #expect(book.views.isEmpty && book.view("v") == nil && book.viewCount == 0)
        #expect(book.reviews.isEmpty && book.review("r") == nil && book.reviewCount == 0)
    }

    @Test("the oldest acknowledged alerts are forgotten, open ones never, and the book says until when")
    func trimming() {
        var book = ReviewBook()
        for number in 1...10 { book.apply(.alert(Self.alert("\(number)")), at: Self.place(number)) }
        for number in 1...8 {
            book.apply(Self.acknowledgement("seen", of: Self.alert("\(number)")), at: Self.place(20 + number))
        }

        book.trim(to: 4)

        #expect(book.alerts.count == 6)
        #expect(book.alerts(for: .all, isOpen: true).count == 2)
        #expect(book.forgottenThrough == Self.place(4).time)
        book.trim(to: 5)
        #expect(book.alerts.count == 6)
    }

    @Test("only so many signatures of a review are kept, the newest")
    func signatures() throws {
        var book = ReviewBook()
        for number in 1...60 { book.apply(.signOff(Self.signOff(through: Int64(number))), at: Self.place(number)) }

        #expect(book.signOffs["r"]?.count == SignOff.keptCount)
        #expect(book.covered(of: try Self.review()).microseconds == 60_000_000)
    }

    @Test(
        "an alert is known to whoever may read what it is about, and what counts a whole app to whoever may read all of it"
    )
    func visibility() throws {
        var alert = Self.alert("a")
        alert.partition = PartitionID(prefix: "ward", id: ObjectId(high: 1, low: 1))
        let narrow = EventAccess(apps: ["ward-app"], prefixes: ["ward-app": [try PrefixPattern("icu")]])
        var many = Alert(
            rule: "r",
            .massRead,
            of: EventOwner(app: "ward-app", user: "aa"),
            subject: [],
            from: alert.from,
            through: alert.from
        )
        many.partition = PartitionID(prefix: "icu", id: ObjectId(high: 1, low: 1))
        let log = Alert(rule: "r", .verifyFailure, of: nil, subject: [], from: alert.from, through: alert.from)

        for (access, expected) in [
            (EventAccess.all, [true, true, true]), (EventAccess(apps: ["ward-app"]), [true, true, false]),
            (EventAccess(apps: ["lab"]), [false, false, false]), (narrow, [false, false, false]),
        ] {
            #expect([alert, many, log].map { $0.isVisible(to: access) } == expected)
        }
    }

    @Test("ids tell rules, people and subjects apart, wherever one text ends and the next begins")
    func ids() {
        let ids = [["a", "b"], ["ab"], ["a", "b", ""], ["", "ab"]]
            .map { subject in
                let time = EventInstant(microseconds: 0)
                return Alert(rule: "r", .gap, of: nil, subject: subject, from: time, through: time).id
            }

        #expect(Set(ids).count == 4)
        for id in ids { #expect(Alert.isID(id)) }
        #expect(Self.alert("a").id == Self.alert("a", at: 99).id)
    }

    @Test("an entry of a later version is none of this one's")
    func laterVersion() {
        func event(_ data: String, activity: String = "save view", type: String = "audit") -> AuditEvent {
            AuditEvent(
                id: ObjectId(high: 1, low: 1),
                clock: ClockReading(
                    wall: EventInstant(microseconds: 1),
                    monotonicNanoseconds: 1,
                    boot: Boot(high: 1, low: 1)
                ),
                activity: activity,
                event: type,
                data: Array(data.utf8)
            )
        }
        let known = #"{"from":"x","written":{"viewDeletion":"v"}}"#

        #expect(AuditTrail.entry(in: event(known)) == .viewDeletion("v"))
        #expect(AuditTrail.entry(in: event(known, activity: "search")) == nil)
        #expect(AuditTrail.entry(in: event(known, type: "read")) == nil)
        for data in ["", "{}", #"{"written":{}}"#, #"{"written":{"vote":1}}"#, #"{"written":{"view":{}}}"#] {
            #expect(AuditTrail.entry(in: event(data)) == nil, "\(data)")
        }
    }
}
