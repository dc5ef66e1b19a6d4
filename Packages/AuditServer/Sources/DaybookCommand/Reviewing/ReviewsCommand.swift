import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel

/// `daybook reviews`: lists the reviews of a server, and what is new in each.
struct ReviewsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reviews",
            abstract: "Lists the reviews of a server, the one that is due first.",
            discussion: """
                An auditor's token is enough; reviewers sign off in the console.

                  daybook reviews --server http://127.0.0.1:8080 \\
                      --token-file ./daybook-data/auditor.token
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let reviews = try await server.remote().list(ReviewLine.self, "reviews")
        if json { return StandardOutput.write(try EventLine.lines(reviews)) }
        StandardOutput.write(reviews.map(Self.row).joined())
    }

    /// Writes a review as one row.
    static func row(_ review: ReviewLine) -> String {
        let events = review.events.map { "\(review.isExact ? "" : "at least ")\($0) events" } ?? "events not counted"
        return [
            review.id, review.state, "due \(review.due)", review.period, events, "\(review.alerts) alerts",
            PlainText.cut(review.name, 60),
        ]
        .joined(separator: "  ") + "\n"
    }
}
