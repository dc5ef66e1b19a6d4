import AuditAccounts
import AuditHTTP
import AuditModel
import Testing

@Suite("The console with a keyboard alone", .enabled(if: Browser.isInstalled, Browser.skipped))
struct KeyboardTests {
    /// Notes each place that the focus comes to, and whether it is seen there.
    private static let watch = """
        window.stops = []
        window.unseen = []
        document.addEventListener('focusin', ({ target }) => {
          window.stops.push(target)
          const style = getComputedStyle(target)
          // The place of the page is no control; it has the focus when a page opens.
          if (target.tabIndex >= 0 && !(target.matches(':focus-visible') && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)) window.unseen.push(target.outerHTML.slice(0, 120))
        })
        """
    /// Lists the controls that a reader sees and the focus has not come to.
    private static let missed = """
        const control = "a[href], button:not(:disabled), input, select, textarea, summary, [tabindex='0']"
        return [...document.querySelectorAll(control)].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !window.stops.includes(one))
          .map((one) => one.outerHTML.slice(0, 120)).join()
        """

    @Test("every control of every page is reached with Tab, is seen where it is, and keeps nobody")
    func everywhere() async throws {
        let ward = try await WardServer()
        try await ward.open { browser in
            try await browser.run(Self.watch)
            for page in ward.pages {
                try await browser.visit(page.address, page.selector)
                try await browser.run("window.stops = []; window.unseen = []")
                var missed = "all"
                // A field for a time has several stops of its own.
                for _ in 0..<30 where missed != "" {
                    for _ in 0..<12 { try await browser.press(.tab) }
                    missed = try await browser.run(Self.missed)
                }
                #expect(missed == "", "\(page.name)")
                let unseen = try await browser.run("return window.unseen.join()")
                #expect(unseen == "", "\(page.name)")
            }
        }
    }

    @Test("Tab and Enter alone lead from the sign-in to every page of the menu, and the focus goes along")
    func menu() async throws {
        let ward = try await WardServer()
        try await ward.console.open(as: .reviewer) { browser, port in
            try await browser.run("document.querySelector('#leave').focus()")
            try await browser.press(.enter)
            _ = try await browser.text(of: ".sign-in")
            #expect(try await browser.run("return document.activeElement.id") == "token")
            try await browser.type(try await ward.console.tokens.issue(.reviewer, for: .access))
            try await browser.press(.enter)
            _ = try await browser.text(of: ".results tbody tr")
            #expect(try await browser.run("return document.activeElement.id") == "page")

            // The first stop of a page leads past the menu, without leaving the page.
            try await browser.open("about:blank")
            try await browser.open("http://127.0.0.1:\(port)/console#/views")
            _ = try await browser.text(of: "#page h1")
            try await browser.press(.tab)
            #expect(try await browser.run("return document.activeElement.id") == "skip")
            try await browser.press(.enter)
            #expect(try await browser.run("return document.activeElement.id + location.hash") == "page#/views")

            let names = [
                "timeline", "reconstruct", "completeness", "views", "reviews", "alerts", "exports", "keeping", "trail",
                "search",
            ]
            for name in names {
                try await browser.run("document.querySelector('#home').focus()")
                for _ in 0..<11 where try await browser.run("return document.activeElement.dataset.page") != name {
                    try await browser.press(.tab)
                }
                try await browser.press(.enter)
                _ = try await browser.text(of: "#menu [data-page=\(name)][aria-current=page]")
                _ = try await browser.text(of: "#page h1")
                #expect(try await browser.run("return document.activeElement.id") == "page", "\(name)")
            }
        }
    }

    @Test("a dialog takes the focus, gives it back when Escape closes it, and work leaves it where somebody goes on")
    func dialogs() async throws {
        let ward = try await WardServer()
        try await ward.open { browser in
            try await browser.visit("#/search", ".results tbody tr")
            try await browser.run("document.querySelector('#export').focus()")
            try await browser.press(.enter)
            _ = try await browser.text(of: "dialog[open]")
            for _ in 1...10 {
                try await browser.press(.tab)
                let isInside = try await browser.run(
                    "return document.activeElement === document.body || !!document.activeElement.closest('dialog')"
                )
                #expect(isInside == "true")
            }
            try await browser.press(.escape)
            _ = try await browser.text(of: "dialog:not([open])")
            #expect(try await browser.run("return document.activeElement.id") == "export")

            // What is done from a list leaves the focus in the list.
            try await browser.visit("#/alerts", "form.answer input")
            try await browser.run("document.querySelector('form.answer input').focus()")
            try await browser.type("Her own patient")
            try await browser.press(.enter)
            _ = try await browser.text(of: ".card.answered")
            #expect(try await browser.run("return !!document.activeElement.closest('.card.answered')") == "true")
            try await browser.visit("#/exports", ".job.done")
            try await browser.run("document.querySelector('.job button').focus()")
            try await browser.press(.enter)
            _ = try await browser.text(of: "ul.exports:empty")
            #expect(try await browser.run("return document.activeElement.className") == "exports")

            // A session is stepped through with the arrow keys, wherever the focus is.
            let timeline = ward.pages.first { $0.name == "timeline" }
            try await browser.visit(timeline?.address ?? "", ".shown .badge")
            try await browser.press(.right)
            _ = try await browser.text(of: "li:nth-child(2) > .step[aria-current], li:nth-child(2) .step[aria-current]")
        }
    }
}
