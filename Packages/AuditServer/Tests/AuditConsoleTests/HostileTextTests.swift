import AuditServerTesting
import EventModel
import Testing

@Suite("Hostile text in the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct HostileTextTests {
    private static let hostile =
        #"<img src=x onerror=window.hacked=1><b class=planted>'"&</b><script>window.hacked=1</script>"#

    /// Lists what the page has that none of our scripts makes.
    private static let planted = """
        const strange = document.body.querySelectorAll("script, img, iframe, object, embed, style, link, base, meta, .planted, [src], [style*='url']")
        const handlers = [...document.querySelectorAll('*')].filter((element) => element.getAttributeNames().some((name) => name.startsWith('on')))
        const links = [...document.querySelectorAll('a[href]')].filter((link) => !/^(#|\\/api\\/v1\\/exports\\/)/.test(link.getAttribute('href')))
        return [...strange, ...handlers, ...links].map((element) => element.outerHTML.slice(0, 200)).join()
        """

    @Test("markup that stands in every field of every event, note and name is text on every page, and makes no element")
    func everywhere() async throws {
        let ward = try await WardServer(Self.hostile)
        try await ward.open { browser in
            let silent: Set = ["search-nothing", "person-nobody", "timeline-form", "reconstruct-form", "nowhere"]
            for page in ward.pages {
                try await browser.visit(page.address, page.selector)
                // Also what is folded, and what is asked for when it is opened.
                try await browser.run(
                    """
                    for (const part of document.querySelectorAll('details')) part.open = true
                    for (const field of document.querySelectorAll('input[list]')) field.focus()
                    """
                )
                if !silent.contains(page.name) {
                    _ = try await browser.run(
                        """
                        const isShown = () => document.querySelector('#page').textContent.includes('<img src=x')
                        while (!isShown()) await new Promise((resolve) => requestAnimationFrame(resolve))
                        """
                    )
                }
                let planted = try await browser.run(Self.planted)
                #expect(planted == "", "\(page.name)")
            }
        }
    }
}
