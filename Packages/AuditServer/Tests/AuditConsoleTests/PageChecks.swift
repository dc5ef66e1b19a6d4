import Foundation
import Testing

/// What a page has to be so that everybody can use it, as scripts that say what is wrong.
enum PageChecks {
    /// A check that is not ours: axe-core, where `Tools/test` has fetched it.
    static let axe = ProcessInfo.processInfo.environment["DAYBOOK_AXE"]

    /// Checks the page that is shown by what each of our scripts finds.
    static func expectUsable(_ browser: Browser, width: Int, _ name: Comment) async throws {
        let wide = try await browser.run("return document.documentElement.scrollWidth")
        #expect(wide == "\(width)", name)
        for check in [structure, names, contrast] {
            let problems = try await browser.run(check)
            #expect(problems == "", name)
        }
    }

    /// Checks the contrast of the page that is shown.
    static func expectContrast(_ browser: Browser, _ name: Comment) async throws {
        let problems = try await browser.run(contrast)
        #expect(problems == "", name)
    }

    /// Checks the page that is shown by all rules of axe-core, if it is there.
    static func expectAxeContent(_ browser: Browser, _ name: Comment) async throws {
        guard let axe else { return }
        if try await browser.run("return typeof window.axe") == "undefined" {
            try await browser.run(try String(contentsOfFile: axe, encoding: .utf8))
        }
        let problems = try await browser.run(
            """
            const found = await window.axe.run(document, { resultTypes: ['violations'] })
            return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html).join(' ')}`).join('; ')
            """
        )
        #expect(problems == "", name)
    }

    /// One main landmark, one heading of the first level, no level left out, every id once, and a title.
    private static let structure = """
        const problems = []
        const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
        if (seen('main, [role=main]').length !== 1) problems.push('main landmarks: ' + seen('main, [role=main]').length)
        const levels = seen('h1, h2, h3, h4, h5, h6').map(({ tagName }) => Number(tagName[1]))
        if (levels.filter((level) => level === 1).length !== 1) problems.push('headings: ' + levels)
        levels.forEach((level, index) => { if (level > (levels[index - 1] ?? 0) + 1) problems.push('a level is left out: ' + levels) })
        const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
        const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
        if (twice.length > 0) problems.push('twice: ' + twice)
        if (!/Daybook$/.test(document.title)) problems.push('title: ' + document.title)
        return problems.join('; ')
        """

    /// Lists the controls that a screen reader could not name.
    private static let names = """
        return [...document.querySelectorAll("button, a, input, select, textarea, summary, [role=slider], [tabindex='0']")]
          .filter((control) => control.checkVisibility() && !control.innerText?.trim() && !control.labels?.length && !control.ariaLabel)
          .map((control) => 'no name: ' + control.outerHTML).join()
        """

    /// Lists texts with less than 4.5 to 1, large ones with less than 3 to 1, and edges of controls and marks with less than 3 to 1.
    private static let contrast = """
        const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a } }
        const over = (top, under) => Object.fromEntries(['r', 'g', 'b'].map((c) => [c, top[c] * top.a + under[c] * (1 - top.a)]).concat([['a', 1]]))
        const paper = (element) => {
          const layers = []
          for (let place = element; place; place = place.parentElement) {
            const color = parse(getComputedStyle(place).backgroundColor)
            if (color.a > 0) layers.push(color)
            if (color.a === 1) break
          }
          return layers.reverse().reduce((under, top) => over(top, under), { r: 255, g: 255, b: 255, a: 1 })
        }
        const light = ({ r, g, b }) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
          .reduce((sum, v, index) => sum + v * [0.2126, 0.7152, 0.0722][index], 0)
        const ratio = (one, other) => { const [a, b] = [light(one), light(other)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05) }
        const opacity = (element) => { let all = 1; for (let place = element; place; place = place.parentElement) all *= Number(getComputedStyle(place).opacity); return all }
        const problems = new Set()
        const check = (element, text, least, what) => {
          const under = paper(element)
          const color = parse(text)
          const found = ratio(over({ ...color, a: color.a * opacity(element) }, under), under)
          if (found < least) problems.add(`${what} ${found.toFixed(2)} of ${least}: ${element.tagName}.${element.getAttribute('class')} ${element.textContent.slice(0, 30)}`)
        }
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement
          if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('.unseen, :disabled, [aria-disabled=true], svg title, option, noscript, .skip')) continue
          const style = getComputedStyle(element)
          const size = parseFloat(style.fontSize)
          const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
          check(element, element.namespaceURI.endsWith('svg') ? style.fill : style.color, isLarge ? 3 : 4.5, 'text')
        }
        for (const element of document.querySelectorAll("input:not([type=checkbox]), select, textarea, button.quiet")) {
          if (element.checkVisibility() && !element.disabled) {
            const under = element.parentElement
            const color = parse(getComputedStyle(element).borderTopColor)
            const found = ratio(over(color, paper(under)), paper(under))
            if (found < 3) problems.add(`edge ${found.toFixed(2)}: ${element.id}`)
          }
        }
        for (const [selector, property] of [['.histogram .column', 'fill'], ['.timeline .read circle', 'stroke'], ['.timeline .write rect:not(.target)', 'fill'], ['.timeline .custom path', 'fill']]) {
          for (const element of document.querySelectorAll(selector)) check(element, getComputedStyle(element)[property], 3, 'mark')
        }
        return [...problems].slice(0, 8).join('; ')
        """
}
