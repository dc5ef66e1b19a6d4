// Saved views: searches with a name, of one auditor or shared.

import * as api from "../ui/api.js"
import { announce, eventLink, h, replace, time } from "../ui/elements.js"
import { spoken } from "../ui/words.js"

const searchOf = (query) => `#/search${query ? `?${query}` : ""}`

/** A button that saves the search that is shown. */
export function saveView(filter, signal) {
  const name = h("input", { id: "view-name", required: true, maxlength: 100, autocomplete: "off" })
  const shared = h("input", { id: "view-shared", type: "checkbox" })
  const message = h("p", { class: "message", role: "alert" })
  const submit = async (event) => {
    event.preventDefault()
    message.textContent = ""
    const query = new URLSearchParams(filter).toString().replaceAll("+", "%20")
    try {
      const view = await api.send("POST", "views", { name: name.value, query, shared: shared.checked }, signal)
      place.open = false
      name.value = ""
      announce(`The view ${view.name} is saved.`)
      location.hash = "#/views"
    } catch (error) {
      if (!signal.aborted) message.textContent = error.message
    }
  }
  const place = h("details", { class: "save" },
    h("summary", {}, "Save this view"),
    h("form", { submit, "aria-label": "Save this view" },
      h("label", { for: "view-name" }, "Name"), name,
      h("label", { class: "check", for: "view-shared" }, shared, " Others see it too"), message,
      h("button", { type: "submit" }, "Save")))
  return place
}

/** The views as links, for the page that everybody begins with. */
export async function viewLinks(place, signal) {
  try {
    const views = await api.get("views", {}, signal)
    if (views.length > 0) replace(place, h("span", {}, "Views:"), views.map((view) => h("a", { href: searchOf(view.query), title: spoken(view.query) }, view.name)))
  } catch {
    // The search works without them, and the page of views says what is wrong.
  }
}

export async function showViews(content, signal) {
  document.title = "Views · Daybook"
  const mayReview = api.isReviewer()
  const views = await api.get("views", {}, signal)
  const again = () => showViews(content, signal)
  replace(content, h("div", { class: "kept" },
    h("h1", {}, "Views"),
    h("p", { class: "lead" }, "A view is a search with a name. Save one from any search; plan a review of it to look through what is new each day, week or month."),
    views.length === 0 && h("p", { class: "none" }, "No view is saved yet. ", h("a", { href: "#/search" }, "Search"), " for something, and choose “Save this view”."),
    h("ul", { class: "cards" }, views.map((view) => card(view, mayReview, again, signal)))))
}

function card(view, mayReview, again, signal) {
  const message = h("p", { class: "message", role: "alert" })
  const act = (work) => async (event) => {
    event.preventDefault()
    message.textContent = ""
    try {
      await work(event)
      await again()
    } catch (error) {
      if (!signal.aborted) message.textContent = error.message
    }
  }
  const change = (changes) => act(() => api.send("PUT", `views/${view.id}`, changes, signal))
  const name = h("input", { id: `name-${view.id}`, value: view.name, maxlength: 100, required: true })
  return h("li", { class: "card" },
    h("header", {}, h("h2", {}, h("a", { href: searchOf(view.query) }, view.name)),
      h("span", { class: "tag" }, view.shared ? "shared" : "yours alone")),
    h("p", {}, spoken(view.query)),
    h("p", { class: "none" }, `Saved by ${view.owner} · `, time(view.saved), " · ", h("a", { href: eventLink(view.event.partition, view.event.sequence) }, "proof")),
    message,
    h("div", { class: "actions" },
      view.own && h("details", {}, h("summary", {}, "Rename"),
        h("form", { submit: act(() => api.send("PUT", `views/${view.id}`, { name: name.value }, signal)) },
          h("label", { for: `name-${view.id}` }, "Name"), name, h("button", { type: "submit" }, "Rename"))),
      view.own && h("button", { type: "button", class: "quiet", click: change({ shared: !view.shared }) }, view.shared ? "Stop sharing" : "Share"),
      view.own && h("button", { type: "button", class: "quiet", click: act(() => api.send("DELETE", `views/${view.id}`, null, signal)), "aria-label": `Delete the view ${view.name}` }, "Delete"),
      mayReview && plan(view, act, signal)))
}

/** The form that plans a review of a view. */
function plan(view, act, signal) {
  const id = (field) => `${field}-${view.id}`
  const period = h("select", { id: id("period") }, ["daily", "weekly", "monthly"].map((value) => h("option", { value }, value)))
  const zone = h("input", { id: id("zone"), value: Intl.DateTimeFormat().resolvedOptions().timeZone, required: true })
  const begins = h("input", { id: id("begins"), type: "datetime-local", step: 60, "aria-describedby": id("begins-help") })
  const who = h("input", { id: id("who"), maxlength: 100, autocomplete: "off" })
  const submit = act(async () => {
    await api.send("POST", "reviews", { view: view.id, period: period.value, zone: zone.value, ...(who.value && { who: who.value }),
      ...(begins.value && { begins: new Date(begins.value).toISOString() }) }, signal)
    location.hash = "#/reviews"
  })
  return h("details", { class: "plan" }, h("summary", {}, "Plan a review"),
    h("form", { submit, "aria-label": `Plan a review of ${view.name}` },
      h("label", { for: id("period") }, "How often"), period,
      h("label", { for: id("zone") }, "Time zone of its midnight"), zone,
      h("label", { for: id("begins") }, "Begins with what was received from"), begins,
      h("span", { class: "help", id: id("begins-help") }, "Empty: from now on. A time in the past takes in what is there already."),
      h("label", { for: id("who") }, "Who does it"), who,
      h("button", { type: "submit" }, "Plan it")))
}
