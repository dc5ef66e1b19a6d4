import ChangeModel
import ChangeModelTesting
import Testing

@testable import RealmSync

@Suite("The progress of a session", .timeLimit(.minutes(5)))
struct SyncSessionProgressTests {
    private static let person = ObjectAddress.sample()
    private let server = InMemoryRealmServer()

    @Test("progress is told as it comes, and of what is outstanding until that is done")
    func progress() async throws {
        let (a, b) = (SessionFixture(server), SessionFixture(server))
        let (reports, told) = AsyncStream.makeStream(of: SyncSession.Progress.self, bufferingPolicy: .unbounded)
        let (uploads, uploaded) = AsyncStream.makeStream(of: SyncSession.Progress.self, bufferingPolicy: .unbounded)
        for key in 1...5 as ClosedRange<Int64> { a.commit(ObjectAddress.sample(key).create()) }
        a.session.resume()
        b.session.resume()
        try await a.settle()
        try await b.settle()
        b.session.suspend()
        b.commit(ObjectAddress.sample(9).create())
        await #expect(throws: SyncError.self) { try await b.session.wait(for: .upload) }
        let down = b.session.addProgressNotification(for: .download, mode: .reportIndefinitely) { told.yield($0) }
        let up = b.session.addProgressNotification(for: .upload, mode: .forCurrentlyOutstandingWork) {
            uploaded.yield($0)
            if $0.isTransferComplete { uploaded.finish() }
        }

        a.commit(Self.person.set("name", "Ada"))
        try await a.settle()
        b.session.resume()
        try await b.settle()

        var steps: [Double] = []
        for await upload in uploads { steps.append(upload.progressEstimate) }
        #expect(steps == [0, 1])
        #expect(await reports.first { $0.isTransferComplete && $0.transferredBytes == 2 } != nil)
        withExtendedLifetime((down, up)) {}
    }

    @Test("the progress of a session that has nothing to do is whole at once; an invalid session tells nobody")
    func noProgress() async throws {
        let a = SessionFixture(server, script: [.fail(.forbidden)])
        let (reports, told) = AsyncStream.makeStream(of: SyncSession.Progress.self, bufferingPolicy: .unbounded)
        let token = a.session.addProgressNotification(for: .upload, mode: .forCurrentlyOutstandingWork) {
            told.yield($0)
            told.finish()
        }
        var all: [SyncSession.Progress] = []
        for await report in reports { all.append(report) }
        #expect(all.map(\.progressEstimate) == [1])
        a.session.resume()
        _ = await a.nextError()

        #expect(a.session.addProgressNotification(for: .upload, mode: .reportIndefinitely) { _ in } == nil)
        withExtendedLifetime(token) {}
    }
}
