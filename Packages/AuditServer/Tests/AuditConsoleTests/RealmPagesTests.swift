import Foundation
import ObjectStore
import ObjectStoreTesting
import RealmBrowser
import Testing

@Suite("A realm file in the browser", .enabled(if: Browser.isInstalled, Browser.skipped))
struct RealmPagesTests {
    private static let hostile =
        #"<img src=x onerror=window.hacked=1><b class=planted>'"&</b><script>window.hacked=1</script>"#
    /// Lists what the page has that none of our scripts makes.
    private static let planted = """
        const strange = document.body.querySelectorAll("script, img, iframe, object, embed, style, base, meta, .planted, [src], [style]")
        const links = [...document.querySelectorAll('a[href]')].filter((link) => !link.getAttribute('href').startsWith('#'))
        return [...strange, ...links].map((element) => element.outerHTML.slice(0, 200)).join() + String(window.hacked ?? '')
        """

    private static func fill(_ file: TemporaryRealm, people: Int) throws {
        let realm = try file.open()
        try realm.write { realm in
            for number in 0..<people { realm.add(Person.numbered(number)) }
            let home = Home(value: ["name": "Elm House", "tags": ["a", "b"]] as [String: Any])
            home.owner = realm.objects(Person.self).first { $0._id == min(4, people - 1) }
            home.dogs.append(Dog(value: ["name": "Rex", "age": 3]))
            home.watchdog = home.dogs[0]
            home.address = Address(value: ["street": "Elm Street"])
            realm.add(home)
            realm.add(Home(value: ["name": hostile, "tags": [hostile]] as [String: Any]))
        }
    }

    /// Opens the address of a file that the command would print.
    private func open(
        _ file: TemporaryRealm,
        key: Data? = nil,
        _ body: (Browser, String) async throws -> Void
    ) async throws {
        let url = file.folder.appendingPathComponent("test.realm")
        let server = try RealmBrowser(url, encryptionKey: key)
        let (addresses, found) = AsyncStream.makeStream(of: String.self)
        try await Browser.shared { browser in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { found.finish() }
                    try await server.serve { found.yield($0) }
                }
                for await address in addresses {
                    try await browser.resize(1280, 900, isDark: false)
                    try await browser.open(address)
                    _ = try await browser.text(of: "#page table, #page .problem")
                    try await body(browser, address)
                    break
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    private func file(key: Data? = nil, people: Int = 230) throws -> TemporaryRealm {
        let file = try TemporaryRealm {
            $0.schemaVersion = 3
            $0.encryptionKey = key
        }
        try Self.fill(file, people: people)
        return file
    }

    /// Clicks what a selector finds, once it is there.
    private func click(_ browser: Browser, _ selector: String) async throws {
        _ = try await browser.text(of: selector)
        try await browser.run("document.querySelector(\(Browser.quoted(selector))).click()")
    }

    @Test("one goes from the classes to a table, sorts, filters, turns pages, follows a link and goes back")
    func walking() async throws {
        try await open(try file()) { browser, _ in
            #expect(
                try await browser.run("return location.href").hasSuffix("/"),
                "the token is not in the address any more"
            )
            let classes = try await browser.text(of: "#page")
            #expect(classes.contains("Schema version 3, 8 classes.") && classes.contains("_id: int, primary key"))
            try await click(browser, "#class-Person")
            #expect(try await browser.text(of: "#shown") == "1 to 100 of 230 objects.")

            try await click(browser, "#sort-0")
            _ = try await browser.text(of: "th[aria-sort=ascending]")
            try await browser.run("document.querySelector('#sort-0').focus()")
            try await browser.press(.enter)
            _ = try await browser.text(of: "th[aria-sort=descending]")
            #expect(try await browser.text(of: "tbody tr:first-child th") == "229")
            let focused = try await browser.run("return document.activeElement.id")
            #expect(focused == "sort-0", "the keyboard stays at the column")
            try await click(browser, "#after")
            _ = try await browser.text(of: "#before")
            #expect(try await browser.text(of: "tbody tr:first-child th") == "129")

            try await browser.fill(".condition", ["condition": "_id < 7 AND name ENDSWITH '4'"])
            _ = try await browser.text(of: "#clear")
            #expect(try await browser.text(of: "#shown") == "1 to 1 of 1 object.")
            #expect(try await browser.run("return document.querySelector('#condition').value").hasPrefix("_id < 7"))
            try await browser.fill(".condition", ["condition": "nothing == 1"])
            let sentence = try await browser.text(of: "#condition-problem:not(:empty)")
            #expect(sentence.contains("The condition cannot be used") && sentence.contains("nothing"))
            #expect(
                try await browser.run("return document.querySelector('#condition').getAttribute('aria-invalid')")
                    == "true"
            )

            try await browser.visit("#/class/Home", "#shown")
            try await click(browser, "tbody tr:first-child th a")
            let home = try await browser.text(of: ".object-lines")
            #expect(home.contains("Elm Street") && home.contains("Dog #"))
            try await click(browser, ".object-lines a[href*='Person']")
            _ = try await browser.text(of: ".object-lines .scalar")
            #expect(try await browser.text(of: "h1") == "Person 4")
            try await browser.goBack()
            _ = try await browser.text(of: ".object-lines a[href*='Dog']")
            #expect(try await browser.text(of: "h1") == "Home Elm House")
            try await click(browser, ".object-lines a[href*='Dog']")
            _ = try await browser.text(of: "h1 a[href='#/class/Dog']")
            #expect(try await browser.text(of: ".object-lines").contains("Rex"))
        }
    }

    @Test("what another instance writes appears where one is, and the keyboard and the place stay")
    func live() async throws {
        let file = try file()
        try await open(file) { browser, _ in
            try await browser.visit("#/class/Person?sort=_id&descending=1", "#shown")
            _ = try await browser.text(of: "#row-200, tbody tr:nth-child(50) a")
            try await browser.run("document.querySelector('tbody tr:nth-child(50) a').focus(); scrollTo(0, 300)")
            let place = try await browser.run("return document.activeElement.id + scrollY")
            try await file.inSecondInstance { realm in
                try realm.write {
                    realm.objects(Person.self).first?.name = "Changed"
                    realm.add(Person.numbered(1000))
                }
            }
            _ = try await browser.run(
                """
                while (!document.querySelector('#shown')?.textContent.includes('231')) await new Promise((resolve) => setTimeout(resolve, 20))
                """
            )
            #expect(try await browser.text(of: "tbody tr:first-child th") == "1000")
            #expect(try await browser.run("return document.activeElement.id + scrollY") == place)

            try await browser.visit("#/object/Person?key=0", ".object-lines")
            try await file.inSecondInstance { realm in
                try realm.write { realm.objects(Person.self).where { $0._id == 0 }.first?.name = "Once more" }
            }
            _ = try await browser.run(
                """
                while (!document.querySelector('.object-lines')?.textContent.includes('Once more')) await new Promise((resolve) => setTimeout(resolve, 20))
                """
            )
            #expect(try await browser.text(of: "#live") == "Live")
        }
    }

    @Test("an encrypted file whose texts are markup shows them as texts, on pages that everybody can use")
    func hostileTexts() async throws {
        let key = Data((0..<64).map { UInt8($0) })
        try await open(try file(key: key, people: 3), key: key) { browser, _ in
            try await browser.run(
                "window.refused = 0; document.addEventListener('securitypolicyviolation', () => window.refused++)"
            )
            var pictures = 0
            let name = Self.hostile.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            for (page, selector) in [
                ("#/", "#class-Person"), ("#/class/Home", "#shown"), ("#/object/Home?key=\(name)", ".object-lines"),
                ("#/class/\(name)", ".problem"), ("#/object/Person?key=\(name)", ".problem"),
                ("#/class/Home?where=\(name)", "#condition-problem:not(:empty)"),
                ("#/class/Person?sort=name", "#shown"),
            ] {
                pictures += 1
                for (width, isDark) in [(1280, false), (390, true)] {
                    try await browser.resize(width, 900, isDark: isDark)
                    try await browser.visit(page, selector)
                    let planted = try await browser.run(Self.planted)
                    #expect(planted == "", "\(page)")
                    try await PageChecks.expectUsable(browser, width: width, "\(page)")
                    try await PageChecks.expectAxeContent(browser, "\(page)")
                    try await browser.takePicture("realm-\(pictures)-\(width)")
                }
            }
            #expect(try await browser.run("return window.refused") == "0")
        }
    }

    @Test("without the token in the browser nothing is shown, and the page says what to open")
    func noToken() async throws {
        try await open(try file(people: 3)) { browser, address in
            try await browser.run("localStorage.clear(); location.reload()")
            let problem = try await browser.text(of: ".problem")
            #expect(problem.contains("Open the address that the command printed"))
            try await browser.open(address)
            _ = try await browser.text(of: "#class-Person")
        }
    }
}
