package import AuditModel
import EventModel

extension QuotaBook {
    /// Takes an alert of each user and app that has used up a quota, once a day, of those of whom nobody was told yet.
    ///
    /// One that cannot be kept then is told at the next refusal a day later.
    package func takeConcerns() -> [Alert] {
        let now = clock.now().wall
        return takeOverdrafts()
            .map { overdraft in
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
                return alert
            }
    }
}
