import Testing

@Suite("A server that is gone, in the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct BrokenConnectionTests {
    private static let unanswered = "The server does not answer. Check the connection, then try again."

    @Test("every page says that the server does not answer, and shows itself when it does again")
    func pages() async throws {
        let ward = try await WardServer()
        try await ward.open { browser in
            try await browser.run(
                """
                window.rejections = []
                addEventListener('unhandledrejection', ({ reason }) => window.rejections.push(String(reason)))
                """
            )
            // The page that is nowhere asks for nothing, and neither do empty forms.
            for page in ward.pages where !["nowhere", "timeline-form", "reconstruct-form"].contains(page.name) {
                try await browser.visit("#/nowhere", ".problem:not(:has(button))")
                try await browser.setOffline(true)
                let told = try await browser.visit(page.address, ".problem:has(button)")
                #expect(told.contains("This did not work") && told.contains(Self.unanswered), "\(page.name)")
                try await browser.setOffline(false)
                try await browser.run("document.querySelector('.problem button').click()")
                _ = try await browser.text(of: page.selector)
            }
            let rejections = try await browser.run("return window.rejections.join()")
            #expect(rejections == "")
        }
    }

    @Test("a form that could not be sent says so, keeps what was written, and is sent when the server is back")
    func forms() async throws {
        let ward = try await WardServer()
        try await ward.open { browser in
            let forms: [(page: String, form: String, field: String, done: String)] = [
                ("event-read", ".noted form", "note", ".notes .words"),
                ("reviews", ".sign form", "note", ".card"), ("alerts", "form.answer", "reason", ".card.answered"),
            ]
            for (name, form, field, done) in forms {
                let page = try #require(ward.pages.first { $0.name == name })
                try await browser.visit(page.address, form)
                let values = name == "reviews" ? ["outcome": "finding", field: "Half a word"] : [field: "Half a word"]
                try await browser.setOffline(true)
                try await browser.fill(form, values)
                let told = try await browser.text(of: "\(form) .message:not(:empty)")
                #expect(told == Self.unanswered, "\(name)")
                let kept = try await browser.run("return document.querySelector('\(form) [id^=\(field)]').value")
                #expect(kept == "Half a word", "\(name)")
                try await browser.setOffline(false)
                try await browser.fill(form, [:])
                _ = try await browser.text(of: done)
            }
            // The list of exports stays, and so does what is asked for.
            try await browser.visit("#/exports", ".job.done")
            try await browser.setOffline(true)
            try await browser.run("document.querySelector('.job button').click()")
            let told = try await browser.text(of: ".job .message:not(:empty)")
            #expect(told == Self.unanswered)
            try await browser.setOffline(false)
            try await browser.visit("#/search", ".results tbody tr")
            try await browser.setOffline(true)
            try await browser.run("document.querySelector('#export').click()")
            try await browser.fill("dialog form", ["export-reason": "an incident"])
            let refused = try await browser.text(of: "dialog .message:not(:empty)")
            #expect(refused == Self.unanswered)
            try await browser.setOffline(false)
            try await browser.fill("dialog form", [:])
            _ = try await browser.text(of: ".job .told")
        }
    }
}
