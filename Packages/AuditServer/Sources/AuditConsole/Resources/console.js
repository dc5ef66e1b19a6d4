// Where the console begins: who is signed in, and which page the address names.

import * as api from "./api.js"
import { h, moment, replace, zoneName } from "./ui.js"
import { countAlerts, showAlerts } from "./alerts.js"
import { showCompleteness } from "./completeness.js"
import { showEvent } from "./event.js"
import { showExports } from "./exports.js"
import { showReconstruction } from "./reconstruct.js"
import { showReviews } from "./reviews.js"
import { showKeeping } from "./keeping.js"
import { showSearch } from "./search.js"
import { showSignIn } from "./sign-in.js"
import { showObject, showPerson } from "./subject.js"
import { showTimeline } from "./timeline.js"
import { showViews } from "./views.js"

const content = document.getElementById("content")
const bar = document.getElementById("bar")
let leaving = new AbortController()

/** Splits the part behind `#` into the page, its path and its query. */
function address() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2)
  const [page, ...rest] = path.split("/")
  return { page: page || "search", rest: rest.map(decodeURIComponent), query: new URLSearchParams(query ?? "") }
}

async function show() {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const { page, rest, query } = address()
  for (const link of bar.querySelectorAll("[data-page]")) {
    if (link.dataset.page === page) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
  try {
    if (page === "event") await showEvent(content, rest[0], Number(rest[1]), signal)
    else if (page === "object") await showObject(content, rest[0], rest[1], signal)
    else if (page === "person") await showPerson(content, rest[0], signal)
    else if (page === "timeline") await showTimeline(content, query, signal)
    else if (page === "reconstruct") await showReconstruction(content, query, signal)
    else if (page === "completeness") await showCompleteness(content, signal)
    else if (page === "views") await showViews(content, signal)
    else if (page === "reviews") await showReviews(content, signal)
    else if (page === "alerts") await showAlerts(content, query, signal)
    else if (page === "exports") await showExports(content, signal)
    else if (page === "keeping") await showKeeping(content, signal)
    else if (page === "trail") await showSearch(content, query, signal, { app: "daybook/auditors" })
    else await showSearch(content, query, signal)
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return
    if (error.status === 401) return enter("Your session is over. Sign in again.")
    replace(content, problem(error))
  }
  countAlerts(document.getElementById("alert-count"))
}

/** Says what went wrong, and offers to try again. */
function problem(error) {
  document.title = "Daybook"
  return h("section", { class: "problem", role: "alert" },
    h("h1", {}, error.status === 404 ? "There is nothing here" : "This did not work"),
    h("p", {}, error.message),
    h("p", {}, h("button", { type: "button", click: show }, "Try again"), " ", h("a", { href: "#/search" }, "Go to the search")))
}

/** Shows who has signed in, and the page that the address names. */
function begin() {
  const { role, apps, expires } = api.session
  const until = document.getElementById("until")
  until.textContent = `${role === "reviewer" ? "Reviewer" : "Auditor"}${apps ? ` of ${apps.join(", ")}` : ""}`
  until.title = expires ? `The token is good until ${moment(expires).full}.` : ""
  bar.hidden = false
  show()
}

function enter(note) {
  bar.hidden = true
  showSignIn(content, note, begin)
}

document.getElementById("zone").textContent = `Times in ${zoneName()}`
document.getElementById("leave").addEventListener("click", async () => {
  leaving.abort()
  await api.signOut().catch(() => {})
  enter("You are signed out.")
})
addEventListener("hashchange", () => {
  if (bar.hidden) return
  content.focus({ preventScroll: true })
  scrollTo(0, 0)
  show()
})

try {
  if (await api.isSignedIn()) {
    begin()
  } else {
    enter(null)
  }
} catch (error) {
  replace(content, problem(error))
}
