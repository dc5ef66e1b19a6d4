// Where the console begins: the bar with its menu, and the page that the address names.

import * as api from "./ui/api.js"
import { countAlerts } from "./alerts/alerts.js"
import { home, menu, page } from "./pages.js"
import { watchSession } from "./sign-in/session.js"
import { h, moment, replace, zoneName } from "./ui/elements.js"

const content = document.getElementById("page")
const bar = document.getElementById("bar")
const roles = { auditor: "Auditor", reviewer: "Reviewer", administrator: "Administrator" }
let leaving = new AbortController()

/** Splits the part behind `#` into the page, its path and its query. */
function address() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2)
  const [name, ...rest] = path.split("/")
  return { name: name || home(api.session), rest: rest.map(decoded), query: new URLSearchParams(query ?? "") }
}

/** Decodes a part of an address; one that is malformed stays as it is, and the server says that it knows none such. */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function show() {
  leave()
  leaving = new AbortController()
  const { signal } = leaving
  const { name, rest, query } = address()
  for (const link of bar.querySelectorAll("[data-page]")) {
    if (link.dataset.page === name) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
  const found = page(name)
  const refusal = found?.refusal(api.session)
  if (!found) {
    problem("There is nothing here", "The console has no page with this address. It may have been cut when it was copied.")
  } else if (refusal) {
    problem("This page is not yours to see", refusal)
  } else {
    try {
      await found.show(content, { rest, query, signal })
    } catch (error) {
      if (error.name === "AbortError" || signal.aborted) return
      const titles = { 403: "This page is not yours to see", 404: "There is nothing here" }
      problem(titles[error.status] ?? "This did not work", error.message, ![403, 404].includes(error.status))
    }
  }
  const alerts = document.getElementById("alert-count")
  if (alerts) countAlerts(alerts)
}

/** Says what is wrong, and offers to try again where that may help. */
function problem(title, text, isPassing = false) {
  document.title = `${title} · Daybook`
  const [first] = menu(api.session)
  replace(content, h("section", { class: "problem", role: "alert" },
    h("h1", {}, title),
    h("p", {}, text),
    h("p", { class: "actions" }, isPassing && h("button", { type: "button", click: show }, "Try again"),
      h("a", { href: `#/${first.name}` }, `Go to “${first.label}”`))))
}

/** Ends what the page that is shown waits for. */
function leave() {
  leaving.abort()
}

/** Shows who has signed in, and the page that the address names. */
function begin() {
  const { name, role, apps, expires } = api.session
  const who = document.getElementById("role")
  document.getElementById("name").textContent = name
  who.textContent = `${roles[role] ?? role}${apps ? ` of ${apps.join(", ")}` : ""}`
  who.title = expires ? `The token is good until ${moment(expires).full}.` : ""
  document.getElementById("home").href = `#/${home(api.session)}`
  replace(document.getElementById("menu"), menu(api.session).map(({ name, label }) => h("a", { href: `#/${name}`, "data-page": name }, label,
    name === "alerts" && h("span", { class: "number", id: "alert-count", role: "status", hidden: true }))))
  show()
}

document.getElementById("zone").textContent = `Times in ${zoneName()}`
// The part behind `#` names a page here, so that the link cannot do it alone.
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault()
  for (const place of [content, document.getElementById("gate")]) if (!place.hidden) place.focus()
})
addEventListener("hashchange", () => {
  if (bar.hidden) return
  content.focus({ preventScroll: true })
  scrollTo(0, 0)
  show()
})
watchSession({ begin, leave })
