import EventDestinations
import EventModel
import Testing

@Suite("Whose events go where")
struct DestinationPlanTests {
    private struct Account: EventUser {
        var appID = "ward"
        var id = "nurse"
    }

    private func plan(
        realmUser: Account? = nil,
        isFlexible: Bool = false,
        eventUser: Account? = nil
    ) throws -> DestinationPlan {
        try DestinationPlan(realmUser: realmUser, isFlexible: isFlexible, eventUser: eventUser)
    }

    @Test("events go to the user that the configuration names, else to the realm's own, else to nobody")
    func owner() throws {
        let auditor = Account(appID: "audit", id: "auditor")

        #expect(try plan().owner == EventOwner(app: "local", user: "local"))
        #expect(try plan(realmUser: Account()).owner == EventOwner(app: "ward", user: "nurse"))
        #expect(try plan(realmUser: Account(), eventUser: auditor).owner == EventOwner(app: "audit", user: "auditor"))
    }

    @Test("a realm of flexible sync needs another user for its events, and says so")
    func flexible() throws {
        for eventUser in [nil, Account()] {
            #expect(throws: EventModelError.self) {
                try plan(realmUser: Account(), isFlexible: true, eventUser: eventUser)
            }
        }
        let other = Account(appID: "audit")
        #expect(try plan(realmUser: Account(), isFlexible: true, eventUser: other).owner.app == "audit")
    }

    @Test("files lie in the chosen folder, else in the app's, else beside the realm")
    func root() throws {
        let plan = try plan()

        #expect(plan.root(chosen: "/chosen", appDirectory: "/app", besides: "/realms/a.realm") == "/chosen")
        #expect(plan.root(chosen: nil, appDirectory: "/app", besides: "/realms/a.realm") == "/app")
        #expect(plan.root(chosen: nil, appDirectory: nil, besides: "/realms/a.realm") == "/realms")
    }

    @Test(
        "what waits for an upload is kept whatever its age, and its file is closed in time; nobody's events are the other way round"
    )
    func rules() throws {
        let (account, local) = (try plan(eventUser: Account()), try plan())

        #expect(account.retention(.days(3)) == .everything)
        #expect(account.closing(after: .seconds(900)) == .seconds(900))
        #expect(local.retention(.days(3)) == .days(3))
        #expect(local.closing(after: .seconds(900)) == nil)
    }
}
