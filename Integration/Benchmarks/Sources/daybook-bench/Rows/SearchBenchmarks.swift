import BenchmarkHarness
import Daybook
import Foundation
import Synchronization

/// Searches through the server, as the console asks them: HTTP, the auditor's token, the trail and the events' own rows included.
///
/// Each figure is the slowest of twenty requests, each of which asks for something else.
func searchBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = SearchWork(workload: workload)
    return SearchQuestion.allCases.map { question in
        Benchmark(
            "search of \(workload.isQuick ? "100,000" : "a million") events, \(question.rawValue)",
            unit: "ms",
            target: .atMost(question.limit),
            ours: { try work.slowestMilliseconds(of: question) }
        )
    }
}

/// What is asked for.
private enum SearchQuestion: String, CaseIterable {
    case newest = "first page"
    case deep = "page deep inside"
    case person = "of a person"
    case object = "of an object"
    case typeAndTime = "changes of a day"
    case several = "changes of a person in an activity"
    case text = "of a text"
    case volume = "volume of all"
    case personVolume = "volume of a person"
    case dayVolume = "volume of a day"
    case typeVolume = "volume of all reads"
    case severalVolume = "volume of reads in an activity"
    case narrowVolume = "volume of a person's changes"
    case name = "names by two beginnings of words"
    case letter = "names by a letter that all have"

    /// The goal in milliseconds: names are looked for while somebody types.
    var limit: Double {
        switch self {
        case .name, .letter: 100
        default: 150
        }
    }

    /// The path and the query; the number makes every one different.
    func path(_ number: Int, on server: SearchedServer) throws -> String {
        let person = "nurse-\(number % SearchedServer.personCount)"
        let share = Double(number) / 21
        switch self {
        case .newest: return "/api/v1/search?limit=50"
        case .deep: return "/api/v1/search?limit=50&after=\(try server.place(at: share))"
        case .person: return "/api/v1/search?limit=50&person=\(person)"
        case .object: return "/api/v1/search?limit=50&class=Person&key=\(number * 7919 % SearchedServer.objectCount)"
        case .typeAndTime:
            let (since, until) = (server.time(at: share), server.time(at: share + 0.033))
            return "/api/v1/search?limit=50&event=write&since=\(since)&until=\(until)"
        case .several:
            let activity = "activity-\(number % SearchedServer.activityCount)"
            return "/api/v1/search?limit=50&person=\(person)&event=write&activity=\(activity)"
        case .text: return "/api/v1/search?limit=50&text=Person%20\(number * 977 % SearchedServer.objectCount)%22"
        case .volume: return "/api/v1/search/volume?bars=\(60 + number)"
        case .personVolume: return "/api/v1/search/volume?bars=\(60 + number)&person=\(person)"
        case .dayVolume:
            let (since, until) = (server.time(at: share), server.time(at: share + 0.033))
            return "/api/v1/search/volume?bars=\(60 + number)&since=\(since)&until=\(until)"
        case .typeVolume: return "/api/v1/search/volume?bars=\(60 + number)&event=read"
        case .severalVolume:
            let activity = "activity-\(number % SearchedServer.activityCount)"
            return "/api/v1/search/volume?bars=\(60 + number)&event=read&activity=\(activity)"
        case .name: return "/api/v1/names?text=pers%20\(10 + number)"
        case .letter: return "/api/v1/names?text=p&limit=\(number)"
        case .narrowVolume: return "/api/v1/search/volume?bars=60&event=write&person=\(person)"
        }
    }
}

/// The work behind the rows, which share one server.
private final class SearchWork: Sendable {
    private let workload: Workload
    private let made = Mutex<SearchedServer?>(nil)

    init(workload: Workload) {
        self.workload = workload
    }

    func slowestMilliseconds(of question: SearchQuestion) throws -> Double {
        let server = try server()
        return try server.slowestMilliseconds { try question.path($0, on: server) }
    }

    /// The server; making it takes a minute, so that the first row does it for all.
    private func server() throws -> SearchedServer {
        try made.withLock { made in
            if let made { return made }
            let folder = try workload.makeSharedFolder("search")
            let server = try SearchedServer(
                events: workload.isQuick ? 100_000 : 1_000_000,
                in: folder,
                apps: #"{ bench: { anonymousUsers: true, labels: { Person: "{name}" } } }"#
            )
            made = server
            return server
        }
    }
}
