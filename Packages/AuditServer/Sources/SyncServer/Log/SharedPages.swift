import Synchronization

/// A page that several readers are sent.
protocol SharedPage: HubPage {
    /// How many bytes it takes.
    var byteCount: Int { get }
}

/// Pages that were read once and are sent to all who ask for the same, bounded in bytes.
///
/// Readers that ask while somebody reads a page wait for that one. A page without anything in it is neither kept nor handed on.
final class SharedPages<Name: Hashable & Sendable, Page: SharedPage>: Sendable {
    /// What a reader does that asks for a page.
    private enum Turn {
        /// The page is there, or somebody who asked before has read it.
        case isKnown(Page)
        /// It reads the page, for all that ask meanwhile.
        case reads
        /// It reads the page for itself: whoever read it found nothing, which may have come since, or failed.
        case readsAlone
    }

    fileprivate struct State {
        /// Who waits for a page that somebody reads.
        var readings: [Name: [CheckedContinuation<Page?, Never>]] = [:]
        var pages: [Name: Page] = [:]
        /// The names from the oldest page on.
        var order: [Name] = []
        var bytes = 0
    }

    private let maximumBytes: Int
    private let state = Mutex(State())
    /// Tells a test that a reader waits for another one.
    private let waits: @Sendable () -> Void

    /// Creates a place for pages.
    ///
    /// - Parameters:
    ///   - maximumBytes: How many bytes are kept, but for one page that may have more.
    ///   - waits: Called when a reader waits for another one.
    init(maximumBytes: Int, waits: @escaping @Sendable () -> Void = {}) {
        self.maximumBytes = maximumBytes
        self.waits = waits
    }

    /// Returns a page that is kept.
    func page(_ name: Name) -> Page? { state.withLock { $0.pages[name] } }

    /// Returns a page, which readers that ask for it at once read once.
    ///
    /// - Parameters:
    ///   - name: What is asked for.
    ///   - isRight: Whether a page that was read before, or for another reader, is right for this one.
    ///   - read: Reads it.
    /// - Returns: The page; an empty one was read behind the call, so that nobody misses what came before that.
    /// - Throws: What `read` throws.
    func page(
        _ name: Name,
        where isRight: (Page) -> Bool = { _ in true },
        _ read: () async throws -> Page
    ) async throws -> Page {
        switch await turn(name, isRight) {
        case .isKnown(let page): return page
        case .readsAlone: return keep(try await read(), as: name)
        case .reads:
            var page: Page?
            defer { end(name, page) }
            let found = keep(try await read(), as: name)
            if !found.isEmpty { page = found }
            return found
        }
    }

    private func turn(_ name: Name, _ isRight: (Page) -> Bool) async -> Turn {
        let (known, reads) = state.withLock { $0.enter(name, isRight) }
        if let known { return .isKnown(known) }
        if reads { return .reads }
        let page = await withCheckedContinuation { continuation in
            // Who reads may have ended since.
            let isOver = state.withLock { !$0.wait(name, continuation) }
            if isOver { continuation.resume(returning: self.page(name)) } else { waits() }
        }
        guard let page, isRight(page) else { return .readsAlone }
        return .isKnown(page)
    }

    /// Hands what was read to those who wait for it.
    private func end(_ name: Name, _ page: Page?) {
        let waiting = state.withLock { $0.readings.removeValue(forKey: name) } ?? []
        for continuation in waiting { continuation.resume(returning: page) }
    }

    /// Keeps a page in which there is something, and returns it.
    @discardableResult
    func keep(_ page: Page, as name: Name) -> Page {
        if !page.isEmpty { state.withLock { $0.keep(page, as: name, maximumBytes) } }
        return page
    }

    /// Forgets pages.
    func forget(where isForgotten: (Name, Page) -> Bool) { state.withLock { $0.forget(where: isForgotten) } }
}

extension SharedPages.State {
    /// Begins to read a page, unless it is there or somebody reads it.
    fileprivate mutating func enter(_ name: Name, _ isRight: (Page) -> Bool) -> (known: Page?, reads: Bool) {
        if let known = pages[name] {
            if isRight(known) { return (known, false) }
            forget { other, _ in other == name }
        }
        guard readings[name] == nil else { return (nil, false) }
        readings[name] = []
        return (nil, true)
    }

    /// Lets a reader wait for who reads a page.
    ///
    /// - Returns: False if nobody reads it any more.
    fileprivate mutating func wait(_ name: Name, _ continuation: CheckedContinuation<Page?, Never>) -> Bool {
        guard readings[name] != nil else { return false }
        readings[name]?.append(continuation)
        return true
    }

    fileprivate mutating func keep(_ page: Page, as name: Name, _ maximumBytes: Int) {
        guard pages[name] == nil else { return }
        while let oldest = order.first, bytes + page.byteCount > maximumBytes {
            bytes -= pages.removeValue(forKey: oldest)?.byteCount ?? 0
            order.removeFirst()
        }
        pages[name] = page
        order.append(name)
        bytes += page.byteCount
    }

    fileprivate mutating func forget(where isForgotten: (Name, Page) -> Bool) {
        let names = Set(order.filter { name in pages[name].map { isForgotten(name, $0) } ?? true })
        guard !names.isEmpty else { return }
        for name in names { bytes -= pages.removeValue(forKey: name)?.byteCount ?? 0 }
        order.removeAll { names.contains($0) }
    }
}
