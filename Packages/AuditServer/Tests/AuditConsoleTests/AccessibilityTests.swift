import AuditModel
import Testing

@Suite("Accessibility of the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct AccessibilityTests {
    @Test("every page fits its window, has its parts named and in order, and contrast enough, in light and dark")
    func pages() async throws {
        let ward = try await WardServer()
        try await ward.open { browser in
            try await browser.run(
                "window.refused = 0; document.addEventListener('securitypolicyviolation', () => window.refused++)"
            )
            for (width, height, isDark) in [(1280, 900, false), (390, 844, true)] {
                for page in ward.pages {
                    try await browser.resize(width, height, isDark: isDark, isCalm: isDark)
                    try await browser.visit(page.address, page.selector)
                    try await PageChecks.expectUsable(browser, width: width, "\(page.name)")
                    try await PageChecks.expectAxeContent(browser, "\(page.name)")
                    if isDark {
                        let moving = try await browser.run("return document.getAnimations().length")
                        #expect(moving == "0", "\(page.name) stands still where motion is not wanted")
                    }
                    try await browser.takePicture("\(page.name)-\(width)-\(isDark ? "dark" : "light")")
                    try await browser.resize(width, height, isDark: !isDark)
                    try await PageChecks.expectContrast(browser, "\(page.name) in other colours")
                    try await browser.takePicture("\(page.name)-\(width)-\(isDark ? "light" : "dark")")
                }
            }
            let refused = try await browser.run("return window.refused")
            #expect(refused == "0", "no page asks for what its policy forbids")
        }
    }

    @Test(
        "axe-core, which looks at every page, finds nothing in the dialogs and the form to sign in either",
        .enabled(if: PageChecks.axe != nil, "axe-core is not there; Tools/test fetches it")
    )
    func axe() async throws {
        let ward = try await WardServer()
        try await ward.open { browser in
            try await browser.resize(390, 844, isDark: true)
            try await browser.visit("#/search", ".results tbody tr")
            try await browser.run("document.querySelector('#export').click()")
            _ = try await browser.text(of: "dialog[open]")
            try await PageChecks.expectAxeContent(browser, "the form of exports")
            try await browser.run("document.querySelector('dialog').close(); document.querySelector('#find').click()")
            try await browser.type("anna")
            _ = try await browser.text(of: "#find-0 .key")
            try await PageChecks.expectAxeContent(browser, "the bar that finds")
            try await PageChecks.expectUsable(browser, width: 390, "the bar that finds")
            try await browser.press(.escape)
            try await browser.run("document.querySelector('#leave').click()")
            _ = try await browser.text(of: ".sign-in .notice")
            try await PageChecks.expectAxeContent(browser, "the form to sign in")
            try await PageChecks.expectUsable(browser, width: 390, "the form to sign in")
        }
    }

    @Test("an administrator's forms are as usable as the pages of others")
    func administrator() async throws {
        let ward = try await WardServer()
        try await ward.console.open(as: .administrator) { browser, _ in
            for (width, isDark) in [(1280, false), (390, true)] {
                try await browser.resize(width, 900, isDark: isDark)
                try await browser.visit("#/nowhere", ".problem")
                try await browser.visit("#/keeping", ".keeping tbody tr")
                try await browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
                try await PageChecks.expectUsable(browser, width: width, "the forms of keeping")
                try await PageChecks.expectAxeContent(browser, "the forms of keeping")
                try await browser.takePicture("keeping-forms-\(width)")
            }
        }
    }
}
