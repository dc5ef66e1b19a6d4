// Saved views: searches with a name, of one auditor or shared, and planning a review of one.

import * as api from "../ui/api.js"
import { h, replace, setTitle } from "../ui/elements.js"
import { proofLink } from "../ui/lines.js"
import { attempts } from "../ui/forms.js"
import { savedSearch } from "../ui/links.js"
import { none } from "../ui/parts.js"
import { fromLocal, time, zoneName } from "../ui/times.js"
import { spoken } from "../ui/words.js"

/** @param {HTMLElement} content @param {AbortSignal} signal */
export async function showViews(content, signal) {
  setTitle("Views")
  const views = await api.get("views", {}, signal)
  const again = () => showViews(content, signal)
  replace(content, h("div", { class: "kept" },
    h("h1", {}, "Views"),
    h("p", { class: "lead" }, "A view is a search with a name. Save one from any search; plan a review of it to look through what is new each day, week or month."),
    views.length === 0 && none("No view is saved yet. ", h("a", { href: "#/search" }, "Search"), " for something, and choose “Save this view”."),
    h("ul", { class: "cards" }, views.map((view) => card(view, again, signal)))))
}

/** @param {SavedView} view @param {() => Promise<void>} again @param {AbortSignal} signal */
function card(view, again, signal) {
  const { message, attempt } = attempts(signal)
  /**
   * Does a work and shows the page anew.
   *
   * @param {() => Promise<unknown>} work
   */
  const act = (work) => attempt(async () => {
    await work()
    await again()
  })
  const path = `views/${view.id}`
  const name = h("input", { id: `name-${view.id}`, value: view.name, maxlength: 100, required: true })
  return h("li", { class: "card" },
    h("header", {}, h("h2", {}, h("a", { href: savedSearch(view.query) }, view.name)),
      h("span", { class: "tag" }, view.shared ? "shared" : "yours alone")),
    h("p", {}, spoken(view.query)),
    none(`Saved by ${view.owner} · `, time(view.saved), " · ", proofLink(view.event)),
    message,
    h("div", { class: "actions" },
      view.own && h("details", {}, h("summary", {}, "Rename"),
        h("form", { submit: act(() => api.send("PUT", path, { name: name.value }, signal)) },
          h("label", { for: `name-${view.id}` }, "Name"), name, h("button", { type: "submit" }, "Rename"))),
      view.own && h("button", { type: "button", class: "quiet", click: act(() => api.send("PUT", path, { shared: !view.shared }, signal)) }, view.shared ? "Stop sharing" : "Share"),
      view.own && h("button", { type: "button", class: "quiet", click: act(() => api.send("DELETE", path, null, signal)), "aria-label": `Delete the view ${view.name}` }, "Delete"),
      api.isReviewer() && plan(view, act, signal)))
}

/**
 * The form that plans a review of a view.
 *
 * @param {SavedView} view
 * @param {(work: () => Promise<unknown>) => (event: Event) => unknown} act
 * @param {AbortSignal} signal
 */
function plan(view, act, signal) {
  /** @param {string} field */
  const id = (field) => `${field}-${view.id}`
  const period = h("select", { id: id("period") }, ["daily", "weekly", "monthly"].map((value) => h("option", { value }, value)))
  const zone = h("input", { id: id("zone"), value: zoneName(), required: true })
  const begins = h("input", { id: id("begins"), type: "datetime-local", step: 60, "aria-describedby": id("begins-help") })
  const who = h("input", { id: id("who"), maxlength: 100, autocomplete: "off" })
  const submit = act(async () => {
    await api.send("POST", "reviews", { view: view.id, period: period.value, zone: zone.value, ...(who.value && { who: who.value }),
      ...(begins.value && { begins: fromLocal(begins.value) }) }, signal)
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
