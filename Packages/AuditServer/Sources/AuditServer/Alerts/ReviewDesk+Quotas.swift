import AuditModel
import EventModel

extension ReviewDesk {
    /// Raises an alert of each user and app that has used up a quota, once a day.
    ///
    /// - Throws: `unavailable` when an alert cannot be kept; the others of this look are told at their next refusal a day later.
    func watchQuotas() async throws {
        let now = clock.now().wall
        for overdraft in quotas.takeOverdrafts() {
            let isOfServer = overdraft.owner.app.isEmpty
            var alert = Alert(
                rule: "quotas",
                .quota,
                of: isOfServer ? nil : overdraft.owner,
                subject: [overdraft.kind.rawValue, "\(now.microseconds / 86_400_000_000)"],
                from: now,
                through: now
            )
            alert.detail = (isOfServer ? "Of the apps that are not set up. " : "") + overdraft.kind.sentence
            try await raise(alert)
        }
    }
}
