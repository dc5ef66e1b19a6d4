// Where the console begins: the bar with its menu, and the page that the address names.

import { countAlerts } from "./alerts/alerts.js"
import { closeFind, watchFind } from "./find/find.js"
import { home, menu, page } from "./pages.js"
import { watchSession } from "./sign-in/session.js"
import { address } from "./ui/address.js"
import * as api from "./ui/api.js"
import { byId, h, replace, setTitle } from "./ui/elements.js"
import { problem } from "./ui/parts.js"
import { moment, zoneName } from "./ui/times.js"

const content = byId("page")
const bar = byId("bar")
/** @type {Record<string, string>} */
const roles = { auditor: "Auditor", reviewer: "Reviewer", administrator: "Administrator" }
let leaving = new AbortController()

async function show() {
  leave()
  const { session } = api
  if (!session) return
  leaving = new AbortController()
  const { signal } = leaving
  const { name: named, parts: rest, query } = address()
  const name = named || home(session)
  for (const link of bar.querySelectorAll("[data-page]")) {
    if (link.getAttribute("data-page") === name) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
  const found = page(name)
  const refusal = found?.refusal(session)
  if (!found) {
    showProblem("There is nothing here", "The console has no page with this address. It may have been cut when it was copied.")
  } else if (refusal) {
    showProblem("This page is not yours to see", refusal)
  } else {
    try {
      await found.show(content, { rest, query, signal })
    } catch (error) {
      if (error.name === "AbortError" || signal.aborted) return
      /** @type {Record<number, string>} */
      const titles = { 403: "This page is not yours to see", 404: "There is nothing here" }
      showProblem(titles[error.status] ?? "This did not work", error.message, ![403, 404].includes(error.status))
    }
  }
  countAlerts()
}

/**
 * Says what is wrong, and offers to try again where that may help.
 *
 * @param {string} title
 * @param {string} text
 */
function showProblem(title, text, isPassing = false) {
  setTitle(title)
  const first = api.session && menu(api.session)[0]
  replace(content, problem(title, text, isPassing && h("button", { type: "button", click: show }, "Try again"),
    first && h("a", { href: `#/${first.name}` }, `Go to “${first.label}”`)))
}

/** Ends what the page that is shown waits for. */
function leave() {
  leaving.abort()
  closeFind()
}

/** Shows who has signed in, and the page that the address names. */
function begin() {
  if (!api.session) return
  const { name, role, apps, expires } = api.session
  const who = byId("role")
  byId("name").textContent = name
  who.textContent = `${roles[role] ?? role}${apps ? ` of ${apps.join(", ")}` : ""}`
  who.title = expires ? `The token is good until ${moment(expires).full}.` : ""
  byId("home").setAttribute("href", `#/${home(api.session)}`)
  replace(byId("menu"), menu(api.session).map(({ name, label }) => h("a", { href: `#/${name}`, "data-page": name }, label,
    name === "alerts" && h("span", { class: "number", id: "alert-count", role: "status", hidden: true }))))
  show()
}

byId("zone").textContent = `Times in ${zoneName()}`
// The part behind `#` names a page here, so that the link cannot do it alone.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault()
  for (const place of [content, byId("gate")]) if (!place.hidden) place.focus()
})
addEventListener("hashchange", () => {
  if (bar.hidden) return
  content.focus({ preventScroll: true })
  scrollTo(0, 0)
  show()
})
watchFind(menu)
watchSession({ begin, leave })
