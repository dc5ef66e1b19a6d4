// Views at the search: saving the one that is shown, and those that are saved as links.

import * as api from "../ui/api.js"
import { announce, h, replace } from "../ui/elements.js"
import { attempts } from "../ui/forms.js"
import { queryText, savedSearch } from "../ui/links.js"
import { spoken } from "../ui/words.js"

/**
 * A form that saves the search that is shown.
 *
 * @param {Record<string, string>} filter
 * @param {AbortSignal} signal
 */
export function saveView(filter, signal) {
  const name = h("input", { id: "view-name", required: true, maxlength: 100, autocomplete: "off" })
  const shared = h("input", { id: "view-shared", type: "checkbox" })
  const { message, attempt } = attempts(signal)
  const submit = attempt(async () => {
    const view = await api.send("POST", "views", { name: name.value, query: queryText(filter), shared: shared.checked }, signal)
    place.open = false
    name.value = ""
    announce(`The view ${view.name} is saved.`)
    location.hash = "#/views"
  })
  const place = h("details", { class: "save" },
    h("summary", {}, "Save this view"),
    h("form", { submit, "aria-label": "Save this view" },
      h("label", { for: "view-name" }, "Name"), name,
      h("label", { class: "check", for: "view-shared" }, shared, " Others see it too"), message,
      h("button", { type: "submit" }, "Save")))
  return place
}

/**
 * The views as links, for the page that everybody begins with.
 *
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
export async function viewLinks(place, signal) {
  try {
    const views = await api.get("views", {}, signal)
    if (views.length > 0) replace(place, h("span", {}, "Views:"), views.map(({ name, query }) => h("a", { href: savedSearch(query), title: spoken(query) }, name)))
  } catch {
    // The search works without them, and the page of views says what is wrong.
  }
}
