import Daybook
import EventModelTesting
import Synchronization

/// The network of one device: what the real client believes to be its HTTP client.
///
/// Uploads meet faults, and renewals of the session. What goes wrong is drawn from the seed of the device, for one request after the other.
final class DeviceLink: HTTPClient {
    private struct State {
        var generator: SeededGenerator
        var isFaulty = true
        /// How many requests are still to fail for want of a network.
        var offline = 0
        /// The last upload that was answered, to be sent again.
        var earlier: HTTPRequest?
    }

    /// What is done with one upload.
    private enum Plan {
        case fail
        case plain
        case fault(LoopbackClient.Fault)
        case twice
        case earlierFirst(HTTPRequest)
        case wrongToken
    }

    private let client: LoopbackClient
    private let counts: LoadCounts
    private let pauseMilliseconds: Int64
    private let state: Mutex<State>

    /// Creates the network of a device.
    ///
    /// - Parameters:
    ///   - client: Its connections.
    ///   - counts: What happened is counted here.
    ///   - seed: Decides what goes wrong.
    ///   - pauseMilliseconds: How long a slow link pauses between two pieces.
    init(client: LoopbackClient, counts: LoadCounts, seed: UInt64, pauseMilliseconds: Int64) {
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

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.headers["content-type"] == PartitionStretch.mediaType else {
            return request.url.hasSuffix("/token/refresh") ? try await renew(request) : try await client.send(request)
        }
        let start = ContinuousClock.now
        let response = try await upload(request)
        if response.status == 200 {
            counts.didUpload(after: ContinuousClock.now - start)
            state.withLock { $0.earlier = request }
        } else {
            counts.didRefuse(status: response.status)
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

    private func upload(_ request: HTTPRequest) async throws -> HTTPResponse {
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
            if answers.0.body != answers.1.body, answers.0.status == 200, answers.1.status == 200 {
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
        }
    }

    private func plan() -> Plan {
        state.withLock { state in
            guard state.isFaulty else { return .plain }
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
            case 30..<33: return .wrongToken
            default: return .plain
            }
        }
    }
}
