extension Browser {
    /// Runs a test in the one browser of this process, which is as if nobody had used it before.
    ///
    /// Starting a browser takes longer than most tests; they have it one after the other.
    ///
    /// - Parameter body: The test.
    /// - Throws: What the body throws, and what keeps the browser from starting.
    static func shared(_ body: (Browser) async throws -> Void) async throws {
        let browser = try await BrowserDesk.shared.take()
        do {
            try await body(browser)
        } catch {
            // Nobody knows in which state a test that failed has left it.
            await BrowserDesk.shared.giveBack(nil)
            throw error
        }
        await BrowserDesk.shared.giveBack(browser)
    }
}

/// Lends the browser to one test at a time.
private actor BrowserDesk {
    static let shared = BrowserDesk()

    private var browser: Browser?
    private var isLent = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async throws -> Browser {
        if isLent {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isLent = true
        }
        do {
            let browser = if let browser { browser } else { try await Browser() }
            self.browser = browser
            try await browser.reset()
            return browser
        } catch {
            giveBack(nil)
            throw error
        }
    }

    func giveBack(_ browser: Browser?) {
        self.browser = browser
        if waiting.isEmpty {
            isLent = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
