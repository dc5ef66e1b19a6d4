// The command bar: `/` opens it on every page. It finds objects by the names that they were called by, and leads to pages.

import * as api from "../ui/api.js"
import { announce, byId, h, replace } from "../ui/elements.js"
import { objectLink, personLink, searchLink, visit } from "../ui/links.js"
import { plural, short } from "../ui/texts.js"
import { instant, moment } from "../ui/times.js"

/** How long somebody pauses before the server is asked, in milliseconds: a word is one question and not one for each letter. */
const pause = 120
const maximumNames = 8

/** Whether an element takes what is typed. */
const takesText = (/** @type {EventTarget | null} */ target) => target instanceof Element && Boolean(target.closest("input, textarea, select, [contenteditable]"))

/**
 * Lets the button of the bar and the key `/` open it, while somebody has signed in.
 *
 * @param {(session: SignedIn) => PageName[]} menu The pages of somebody.
 */
export function watchFind(menu) {
  const open = () => { if (api.session) openFor(api.session, menu(api.session)) }
  byId("find").addEventListener("click", open)
  addEventListener("keydown", (event) => {
    const isPlain = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing
    if (!isPlain || takesText(event.target) || byId("bar").hidden || document.querySelector("dialog[open]")) return
    event.preventDefault()
    open()
  })
}

/** @type {{ dialog: HTMLDialogElement, ending: AbortController } | null} */
let opened = null

/** Takes the bar away with what was typed in it: another page is shown, or somebody else may come. */
export function closeFind() {
  if (!opened) return
  const { dialog, ending } = opened
  opened = null
  ending.abort()
  dialog.close()
  dialog.remove()
}

/**
 * Opens the bar in front of the page.
 *
 * @param {SignedIn} session
 * @param {PageName[]} pages
 */
function openFor({ role }, pages) {
  closeFind()
  const ending = new AbortController()
  const dialog = h("dialog", { class: "find", "aria-label": "Find" })
  replace(dialog, bar(pages, role !== "administrator", dialog, ending.signal))
  // While somebody signs in again it is closed and comes back.
  dialog.addEventListener("close", () => { if (!("asleep" in dialog.dataset)) closeFind() }, { signal: ending.signal })
  document.body.append(dialog)
  opened = { dialog, ending }
  dialog.showModal()
}

/** @param {PageName[]} pages @param {boolean} isReading @param {HTMLDialogElement} dialog @param {AbortSignal} signal */
function bar(pages, isReading, dialog, signal) {
  const list = h("ul", { id: "find-list", role: "listbox", "aria-label": "Found" })
  const state = h("p", { class: "help", id: "find-help" }, isReading ? "A name, the beginning of its words, or a page. Enter opens what is marked." : "The name of a page. Enter opens what is marked.")
  const input = h("input", {
    id: "find-text", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", maxlength: 100, "aria-label": "Find",
    "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "find-list", "aria-describedby": "find-help",
    placeholder: isReading ? "Find a name or a page" : "Find a page",
  })
  let marked = 0
  /** Whether somebody chose what is marked, which stays marked then. */
  let isChosen = false
  /** Whether Enter was pressed before the server had answered: its names come first, so that it is waited for. */
  let isWanted = false
  /** @type {Way[]} */
  let ways = []
  const mark = () => {
    for (const [index, option] of [...list.children].entries()) option.setAttribute("aria-selected", String(index === marked))
    list.children[marked]?.scrollIntoView({ block: "nearest" })
    if (ways.length > 0) input.setAttribute("aria-activedescendant", `find-${marked}`)
    else input.removeAttribute("aria-activedescendant")
    input.setAttribute("aria-expanded", String(ways.length > 0))
  }
  /** @param {Way} way */
  const go = ({ address }) => {
    dialog.close()
    visit(address)
  }
  /** @param {Way[]} found */
  const show = (found, first = 0) => {
    ways = found
    marked = first
    replace(list, ways.map((way, index) => h("li", { id: `find-${index}`, role: "option", click: () => go(way) }, way.shown)))
    mark()
  }
  /** @type {AbortController | null} */
  let asking = null
  const look = () => {
    asking?.abort()
    asking = null
    isChosen = isWanted = false
    const text = input.value.trim()
    const others = waysTo(text, pages, isReading)
    show(others)
    if (!isReading || text === "") return
    asking = new AbortController()
    const { signal: stopped } = asking
    const timer = setTimeout(async () => {
      try {
        const answer = await api.get("names", { text, limit: maximumNames }, stopped)
        if (stopped.aborted) return
        asking = null
        const names = [...answer.names.map(named), ...answer.people.map(employed)]
        show([...names, ...others], isChosen ? marked + names.length : 0)
        if (isWanted && ways.length > 0) return go(ways[0])
        state.textContent = told(answer)
        announce(told(answer))
      } catch (error) {
        if (stopped.aborted) return
        asking = null
        isWanted = false
        state.textContent = error.message
      }
    }, pause)
    stopped.addEventListener("abort", () => clearTimeout(timer))
  }
  signal.addEventListener("abort", () => asking?.abort())
  input.addEventListener("input", look)
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.isComposing) return
    if (ways.length === 0) {
      isWanted = event.key === "Enter" && asking !== null
      return
    }
    if (step) {
      event.preventDefault()
      isChosen = true
      marked = (marked + step + ways.length) % ways.length
      mark()
    } else if (event.key === "Enter") {
      event.preventDefault()
      if (asking && !isChosen) isWanted = true
      else go(ways[marked])
    }
  })
  show(waysTo("", pages, isReading))
  return [input, list, state]
}

/**
 * Where else a text may lead: pages of this name, and searches for it.
 *
 * @param {string} text
 * @param {PageName[]} all
 * @param {boolean} isReading
 * @returns {Way[]}
 */
function waysTo(text, all, isReading) {
  const wanted = text.toLowerCase()
  const pages = all.filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ name, label }) => ({ address: `#/${name}`, shown: [h("span", { class: "kind" }, "Page"), " ", label] }))
  if (!isReading || text === "") return pages
  /** @param {string} kind @param {string} address */
  const way = (kind, address) => ({ address, shown: [h("span", { class: "kind" }, kind), " ", h("b", {}, short(text, 40))] })
  return [...pages, way("Person", personLink(text)), way("Object with the key", objectLink(null, text)), way("Events with the text", searchLink({ text }))]
}

/** @param {Name} name @returns {Way} */
const named = ({ class: type, key, label, app, lastSeen }) => ({
  address: objectLink(type, key),
  shown: [h("span", { class: "kind" }, type), " ", h("b", {}, label), " ", h("span", { class: "key" }, short(key, 16)),
    h("span", { class: "none" }, ` ${app}, last called so ${moment(instant(lastSeen) ?? "").full.slice(0, 16)}`)],
})

/** @param {Person} person @returns {Way} */
const employed = ({ id, name, role, unit }) => ({
  address: personLink(id),
  shown: [h("span", { class: "kind" }, "Person"), " ", h("b", {}, name), " ", h("span", { class: "key" }, short(id, 16)),
    h("span", { class: "none" }, [role, unit].filter(Boolean).map((text) => ` ${text}`).join(","))],
})

/** @param {NamesAnswer} answer */
function told({ names, people, isWhole, classes, isCurrent }) {
  if (classes.length === 0 && people.length === 0) return "No class has a name: the configuration of the server says which properties name the objects of a class (“labels”)."
  const all = names.length + people.length
  const found = all === 0 ? `No name of ${classes.join(", ")} begins so.` : `${plural(all, "name")}.${isWhole ? "" : " There are more; type more of it."}`
  return isCurrent ? found : `${found} The newest events are still being prepared for searching.`
}
