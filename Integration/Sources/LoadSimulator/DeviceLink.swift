import Daybook
import EventModelTesting
import Synchronization

/// The network of one device: what the real client believes to be its HTTP client.
///
/// Requests of its traffic meet faults, and renewals of the session. What goes wrong is drawn from the seed of the device, for one request after the other.
final class DeviceLink: HTTPClient {
    private struct State {
        var generator: SeededGenerator
        var isFaulty = true
        /// How many requests are still to fail for want of a network.
        var offline = 0
        /// The last upload that was answered, to be sent again.
        var earlier: HTTPRequest?
        /// How many requests came since one had a wrong token.
        var sinceWrongToken = 0
        /// How many requests in a row failed.
        var failures = 0
        /// How many requests of a session meet no fault, after so many had failed in a row.
        var calm = 0
        /// Is told when the network is back.
        var didReturn: @Sendable () -> Void = {}
    }

    /// After how many requests the next one may have a wrong token: two in a row are a session that is over.
    private static let trust = 12
    /// How many requests of a session fail in a row at most: its pauses grow with each, and nobody waits for minutes here.
    private static let mostFailures = 4
    /// How many requests meet no fault then: those with which a session connects.
    private static let calm = 4

    /// What is done with one request.
    private enum Plan {
        case fail
        case plain
        case fault(LoopbackClient.Fault)
        case twice
        case earlierFirst(HTTPRequest)
        case wrongToken
        case late
    }

    private let traffic: LinkTraffic
    private let client: LoopbackClient
    private let counts: LoadCounts
    private let pauseMilliseconds: Int64
    private let state: Mutex<State>

    /// Creates the network of a device.
    ///
    /// - Parameters:
    ///   - traffic: Which requests meet faults.
    ///   - client: Its connections.
    ///   - counts: What happened is counted here.
    ///   - seed: Decides what goes wrong.
    ///   - pauseMilliseconds: How long a slow link pauses between two pieces.
    init(
        _ traffic: LinkTraffic,
        client: LoopbackClient,
        counts: LoadCounts,
        seed: UInt64,
        pauseMilliseconds: Int64
    ) {
        self.traffic = traffic
        self.client = client
        self.counts = counts
        self.pauseMilliseconds = pauseMilliseconds
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    /// Ends all faults.
    func repair() {
        state.withLock { state in
            state.isFaulty = false
            state.offline = 0
        }
    }

    /// Tells somebody when the network is back, as a system does that sees it go and come.
    ///
    /// That is so when many requests in a row have failed, and of a link without pauses whenever one has.
    func onReturn(_ didReturn: @escaping @Sendable () -> Void) { state.withLock { $0.didReturn = didReturn } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let route = traffic.route(of: request) else {
            return request.url.hasSuffix("/token/refresh") ? try await renew(request) : try await client.send(request)
        }
        counts.didRequest(route)
        let start = ContinuousClock.now
        let response: HTTPResponse
        do {
            response = try await pass(request, route)
        } catch {
            let isBack = state.withLock { $0.calm == Self.calm } || pauseMilliseconds == 0
            if isBack { state.withLock(\.didReturn)() }
            throw error
        }
        if response.status != 200 {
            counts.didRefuse(status: response.status)
        } else if route.isUpload {
            counts.didUpload(after: ContinuousClock.now - start)
            state.withLock { $0.earlier = request }
        }
        return response
    }

    /// Renews a session, of which every third answer is lost, and every third request is one of two programs at once.
    ///
    /// None of it may end the session: nobody could be the anonymous user again.
    private func renew(_ request: HTTPRequest) async throws -> HTTPResponse {
        let plan = state.withLock { state in state.isFaulty ? state.generator.below(3) : 2 }
        var response: HTTPResponse
        switch plan {
        case 0:
            counts.did(.lostRenewal)
            return try await client.send(request, fault: .lostAnswer)
        case 1:
            counts.did(.twoRenewals)
            async let other = client.send(request)
            response = try await client.send(request)
            if try await other.status != 200 { response = try await other }
        default:
            response = try await client.send(request)
        }
        if response.status == 401 || response.status == 403 { counts.report("a device was locked out") }
        return response
    }

    private func pass(_ request: HTTPRequest, _ route: LinkTraffic.Route) async throws -> HTTPResponse {
        switch plan() {
        case .fail:
            counts.did(.offline)
            throw LoadError.offline
        case .plain:
            return try await client.send(request)
        case .fault(let fault):
            switch fault {
            case .cutBody: counts.did(.cut)
            case .lostAnswer: counts.did(.lostAnswer)
            case .slow: counts.did(.slow)
            }
            return try await client.send(request, fault: fault)
        case .twice:
            counts.did(.duplicate)
            async let first = client.send(request)
            async let second = client.send(request)
            let answers = try await (first, second)
            if traffic == .events, answers.0.body != answers.1.body, answers.0.status == 200, answers.1.status == 200 {
                // Receipts have times of their own; what must be the same is the root.
                counts.compare(answers.0.body, answers.1.body)
            }
            return answers.0
        case .earlierFirst(let earlier):
            counts.did(.repetition)
            let answer = try await client.send(earlier)
            if answer.status != 200, answer.status != 401, answer.status != 429, answer.status != 503 {
                counts.report("a repetition was answered with status \(answer.status)")
            }
            return try await client.send(request)
        case .wrongToken:
            counts.did(.wrongToken)
            var headers = request.headers
            headers["authorization"] = "Bearer eyJhbGciOiJIUzI1NiJ9.e30.x"
            let answer = try await client.send(
                HTTPRequest(method: request.method, url: request.url, headers: headers, body: request.body)
            )
            if answer.status != 401 { counts.report("a wrong token was answered with status \(answer.status)") }
            return answer
        case .late:
            counts.did(.late)
            let answer = try await client.send(request)
            try await Task.sleep(for: .milliseconds(pauseMilliseconds * Int64(1 + request.body.count % 100)))
            return answer
        }
    }

    private func plan() -> Plan {
        state.withLock { state in
            guard state.isFaulty else { return .plain }
            if state.calm > 0 {
                state.calm -= 1
                return .plain
            }
            let plan = plan(&state)
            let fails =
                switch plan {
                case .fail, .fault(.lostAnswer), .fault(.cutBody): true
                case .fault(.slow), .plain, .twice, .earlierFirst, .wrongToken, .late: false
                }
            state.failures = fails ? state.failures + 1 : 0
            if traffic == .realms, state.failures == Self.mostFailures {
                (state.failures, state.offline, state.calm) = (0, 0, Self.calm)
            }
            return plan
        }
    }

    private func plan(_ state: inout State) -> Plan {
        state.sinceWrongToken += 1
        if state.offline > 0 {
            state.offline -= 1
            return .fail
        }
        switch state.generator.below(100) {
        case 0..<4:
            state.offline = state.generator.below(4)
            return .fail
        case 4..<9: return .fault(.lostAnswer)
        case 9..<13: return .fault(.cutBody)
        case 13..<19: return .fault(.slow(pauseMilliseconds: pauseMilliseconds))
        case 19..<25: return .twice
        case 25..<30: return state.earlier.map { .earlierFirst($0) } ?? .plain
        case 30..<33:
            guard traffic == .events || state.sinceWrongToken > Self.trust else { return .plain }
            state.sinceWrongToken = 0
            return .wrongToken
        case 33..<37 where traffic == .realms: return .late
        default: return .plain
        }
    }
}
