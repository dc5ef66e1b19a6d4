#if canImport(Glibc)
import Glibc
import Synchronization
import Testing

@testable import SyncTransport

@Suite("The network's return")
struct NetworkReturnsTests {
    /// What looks at the network find, one answer for each look; the last one for all others.
    private final class Looks: Sendable {
        private let answers: Mutex<[Bool]>

        init(_ answers: [Bool]) { self.answers = Mutex(answers) }

        func next() -> Bool {
            answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    /// A pair of sockets in place of the system's: packets written to one are news for the other.
    private struct News {
        let ours: Int32
        let watched: Int32

        init() throws {
            var pair: [Int32] = [0, 0]
            let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &pair) == 0)
            (ours, watched) = (pair[0], pair[1])
        }

        func report() throws { try #require(send(ours, "news", 4, 0) == 4) }

        /// Nothing will come any more.
        func end() { close(ours) }
    }

    @Test("a network that was away at the start and is there at the news has returned")
    func away() async throws {
        let (news, looks) = (try News(), Looks([false, true]))
        var returns = RouteNews.returns(news.watched) { looks.next() }.makeAsyncIterator()
        try news.report()
        #expect(await returns.next() != nil)
        news.end()
        #expect(await returns.next() == nil)
    }

    @Test("news of a network that works, or is still away, is no return", arguments: [true, false])
    func noReturn(isUsable: Bool) async throws {
        let news = try News()
        let returns = RouteNews.returns(news.watched) { isUsable }
        try news.report()
        news.end()
        var count = 0
        for await _ in returns { count += 1 }
        #expect(count == 0)
    }

    @Test("each way out and back is one return")
    func turns() throws {
        let usability = NetworkUsability()
        #expect(
            [true, true, false, false, true, true, false, true].map(usability.isReturn) == [
                false, false, false, false, true, false, false, true,
            ]
        )
    }

    @Test("an interface leads out if it is up, has a carrier, and is not the loop")
    func flags() {
        let (up, running, loop) = (UInt32(IFF_UP), UInt32(IFF_RUNNING), UInt32(IFF_LOOPBACK))
        #expect(NetworkInterfaces.leadsOut(flags: up | running))
        for flags in [0, up, running, up | running | loop] { #expect(!NetworkInterfaces.leadsOut(flags: flags)) }
    }

    @Test(
        "addresses that a link gives itself lead nowhere",
        arguments: [
            ("fe80::1", false), ("febf::1", false), ("fec0::1", true), ("2001:db8::1", true), ("fd00::1", true),
        ]
    )
    func addresses(text: String, isRoutable: Bool) throws {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        try #require(inet_pton(AF_INET6, text, &address.sin6_addr) == 1)
        let found = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { NetworkInterfaces.isRoutable($0) }
        }
        #expect(found == isRoutable)
    }

    @Test("the system lets anybody listen, and watching ends when nobody does any more")
    func system() async throws {
        let socket = try #require(RouteNews.open())
        let task = Task {
            for await _ in RouteNews.returns(socket, isUsable: { true }) {}
        }
        task.cancel()
        await task.value
    }
}
#endif
