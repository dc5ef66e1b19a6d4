// Where the pages of a realm file begin: the page that the address names, and what another program writes meanwhile.

import { address } from "../ui/address.js"
import { byId, h, replace, setTitle } from "../ui/elements.js"
import { problem } from "../ui/parts.js"
import { showClasses } from "./class-list.js"
import { showClass } from "./class-table.js"
import { ask, keepToken } from "./file-api.js"
import { showObject } from "./object-page.js"

const content = byId("page")
/** How long one waits before asking again for what did not work, in milliseconds. */
const patience = 2000
/** How long one waits after each reading, in milliseconds. */
const rest = 250
let leaving = new AbortController()
/** The page that is shown, without its query. @type {string} */
let shown = ""
/** The state of the file that is shown; empty when that is none. */
let state = ""
/** @type {ReadAgain | null} */
let readAgain = null

/** @type {Record<string, (content: HTMLElement, address: FileAddress) => Promise<ReadAgain>>} */
const pages = { "": showClasses, class: showClass, object: showObject }

async function show() {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const { path, name, parts, query } = address()
  const isOther = path !== shown
  const focused = document.activeElement?.id
  shown = path
  readAgain = null
  state = ""
  if (isOther) {
    content.focus({ preventScroll: true })
    scrollTo(0, 0)
  }
  const page = Object.hasOwn(pages, name) ? pages[name] : null
  if (!page) return showProblem("There is nothing here", "No page has this address. It may have been cut when it was copied.")
  try {
    const read = await page(content, { rest: parts, query, signal })
    const now = await read()
    if (signal.aborted) return
    // Whoever sorts goes on from the same column.
    if (!isOther && focused) document.getElementById(focused)?.focus({ preventScroll: true })
    state = now
    readAgain = read
    setLive("Live")
  } catch (error) {
    showFailure(error, signal)
  }
  follow(signal)
}

/** @param {Error & { status?: number }} error @param {AbortSignal} signal */
function showFailure(error, signal) {
  if (error.name === "AbortError" || signal.aborted) return
  showProblem(error.status === 404 ? "There is nothing here" : "This did not work", error.message)
}

/** @param {string} title @param {string} text */
function showProblem(title, text) {
  setTitle(title)
  readAgain = null
  replace(content, problem(title, text, h("button", { type: "button", id: "again", click: show }, "Try again"), h("a", { href: "#/" }, "All classes")))
}

/**
 * Waits for what other programs write, and reads the page anew where it is; a window that nobody sees asks nothing.
 *
 * @param {AbortSignal} signal
 */
async function follow(signal) {
  while (!signal.aborted) {
    try {
      if (document.hidden) await seen(signal)
      const now = (await ask("changes", { since: state || null }, signal)).state
      setLive("Live")
      if (now === state) continue
      const read = readAgain
      if (read) {
        const next = await read()
        if (signal.aborted) return
        state = next || now
        // A program that writes all the time is no reason to read all the time.
        await passed(rest, signal)
      } else {
        state = now
      }
    } catch (error) {
      if (error.name === "AbortError" || signal.aborted) return
      setLive("Not connected")
      // A token that is not known never will be: the command was started anew.
      if (error.status === 401 || error.status === 404) return showFailure(error, signal)
      await passed(patience, signal)
    }
  }
}

/** @param {string} text */
function setLive(text) {
  const live = byId("live")
  if (live.textContent !== text) live.textContent = text
}

/**
 * Returns when somebody sees the window, or leaves the page.
 *
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
const seen = (signal) => new Promise((resolve) => {
  document.addEventListener("visibilitychange", () => resolve(), { once: true, signal })
  signal.addEventListener("abort", () => resolve(), { once: true })
})

/** @param {number} milliseconds @param {AbortSignal} signal @returns {Promise<void>} */
const passed = (milliseconds, signal) => new Promise((resolve) => {
  setTimeout(resolve, milliseconds)
  signal.addEventListener("abort", () => resolve(), { once: true })
})

keepToken()
// The part behind `#` names a page here, so that the link cannot do it alone.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault()
  content.focus()
})
addEventListener("hashchange", show)
show()
