package import AuditModel
package import EventModel

/// How a review stands at a moment.
package struct ReviewState: Sendable, Hashable {
    /// The review.
    package let review: Review
    /// The time of receipt from which events are to be reviewed.
    package let from: EventInstant
    /// When it is due, the end of the period.
    package let due: EventInstant
    /// When it is overdue, the end of the period after that.
    package let overdue: EventInstant

    package init(_ review: Review, in book: ReviewBook) {
        self.review = review
        from = book.covered(of: review)
        // A review of times long past is not overdue the moment that it is planned.
        let planned = book.review(review.id)?.place.time ?? from
        due = review.schedule.end(after: max(from, planned))
        overdue = review.schedule.end(after: due)
    }

    /// The alert that it was not done in time; nil while it is not overdue.
    package func alert(at now: EventInstant) -> Alert? {
        guard now >= overdue else { return nil }
        let app = review.scope.apps?.count == 1 ? review.scope.apps?.first : nil
        var alert = Alert(
            rule: "overdue review",
            .overdueReview,
            of: app.map { EventOwner(app: $0, user: "") },
            subject: [review.id, "\(from.microseconds)"],
            from: from,
            through: overdue
        )
        alert.review = review.id
        alert.detail = "the review “\(review.name)” was due at \(due)"
        return alert
    }
}

extension ReviewDesk {
    /// How long before now a review reaches at most, in microseconds.
    ///
    /// An upload has its time of receipt before it is stored; what is being stored now is reviewed the next time.
    private static let storingMicroseconds: Int64 = 10_000_000

    /// The latest time of receipt that can be signed off now.
    package var latestThrough: EventInstant {
        EventInstant(microseconds: clock.now().wall.microseconds - Self.storingMicroseconds)
    }

    /// Counts the events of a review that were received in a time.
    ///
    /// - Returns: The number, and whether it is exact; nil when somebody may not know it.
    /// - Throws: `unavailable` when the index fails.
    package func events(
        of review: Review,
        from: EventInstant,
        through: EventInstant,
        for access: EventAccess
    ) async throws -> (count: Int64, isExact: Bool)? {
        var filter = try EventFilter.reading(query: review.query)
        if filter.app == nil, let apps = review.scope.apps, apps.count == 1 { filter.app = apps.first }
        guard access.isUnlimited || filter.app.map(access.includesAll) ?? false else { return nil }
        filter.access = access
        filter.receivedSince = max(filter.receivedSince ?? from, from)
        filter.receivedUntil = min(filter.receivedUntil ?? through, through)
        let volume = try await index.volume(of: filter, bars: 2, clock: clock)
        return (volume.counts.reduce(0, +), volume.isExact)
    }

    /// Counts the alerts of a review that were raised in a time, as far as somebody may know of them.
    package func alerts(of review: Review, from: EventInstant, through: EventInstant, for access: EventAccess) -> Int {
        read { book in
            book.alerts.values.count { raised in
                raised.place.time >= from && raised.place.time < through && raised.alert.isVisible(to: access)
                    && (review.scope.apps.map { apps in raised.alert.app.map(apps.contains) ?? false } ?? true)
            }
        }
    }
}
