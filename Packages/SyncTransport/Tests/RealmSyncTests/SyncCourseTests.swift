import ChangeModel
import Testing

@testable import RealmSync

@Suite("What a session does when an exchange ended")
struct SyncCourseTests {
    private struct DiskFull: Error {}

    private static let unreachable = ChangeModelError.failed(.unreachable)

    @Test("pauses double from a second to five minutes, less up to a quarter")
    func doubling() {
        var course = SyncCourse()
        let pauses = (0..<11)
            .map { _ in course.after(Self.unreachable, wasConnected: false, madeProgress: false, fraction: 0) }

        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .pause(.seconds($0)) })
        #expect(
            course.after(Self.unreachable, wasConnected: false, madeProgress: false, fraction: 1)
                == .pause(.seconds(225))
        )
    }

    @Test("a connection that came about makes the next pause short again; one in which the file failed does not")
    func reset() {
        var course = SyncCourse()
        for _ in 0..<5 { _ = course.after(DiskFull(), wasConnected: true, madeProgress: false, fraction: 0) }

        #expect(course.after(DiskFull(), wasConnected: true, madeProgress: false, fraction: 0) == .pause(.seconds(32)))
        #expect(
            course.after(Self.unreachable, wasConnected: true, madeProgress: false, fraction: 0) == .pause(.seconds(1))
        )
        #expect(course.after(DiskFull(), wasConnected: true, madeProgress: true, fraction: 0) == .pause(.seconds(1)))
    }

    @Test(
        "a server that is busy is left alone for as long as it says, up to an hour, and as long as one has to",
        arguments: [(0, 1), (7, 7), (4000, 3600)]
    )
    func busy(asked: Int, seconds: Int) {
        var course = SyncCourse()
        let failure = ChangeModelError.failed(.busy(retryAfterSeconds: asked))

        #expect(
            course.after(failure, wasConnected: false, madeProgress: false, fraction: 0) == .rest(.seconds(seconds))
        )
        for _ in 0..<3 { _ = course.after(Self.unreachable, wasConnected: false, madeProgress: false, fraction: 0) }
        #expect(
            course.after(failure, wasConnected: false, madeProgress: false, fraction: 0)
                == .rest(.seconds(max(seconds, 16)))
        )
    }

    @Test("what mends itself with the next bind costs a pause, a refused token waits for the user")
    func mending() {
        for failure in [SyncFailure.tooOld(floor: 3), .gap(expected: 4)] {
            var course = SyncCourse()
            #expect(
                course.after(ChangeModelError.failed(failure), wasConnected: true, madeProgress: false, fraction: 0)
                    == .pause(.seconds(1))
            )
        }
        var course = SyncCourse()
        #expect(
            course.after(ChangeModelError.failed(.unauthorized), wasConnected: true, madeProgress: false, fraction: 0)
                == .awaitSignIn
        )
    }

    @Test(
        "what no honest server sends stops the session",
        arguments: [
            SyncLie.acknowledgesLess, SyncLie.repeatsEntries, SyncLie.inventsChange,
            ChangeModelError.malformed(offset: 0, reason: "No."), ChangeModelError.gap(expected: 1, found: 2),
        ] as [any Error & Sendable]
    )
    func lies(error: any Error & Sendable) {
        var course = SyncCourse()
        let step = course.after(error, wasConnected: true, madeProgress: true, fraction: 0)

        guard case .stop(let stopped) = step else {
            Issue.record("It goes on: \(step)")
            return
        }
        #expect(stopped.code == .clientInternalError)
    }
}
