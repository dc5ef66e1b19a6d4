// Asks whose session is to be shown, and of which time.

import { h } from "../ui/elements.js"
import { filledIn, formOf, inputField } from "../ui/forms.js"
import { personLink, timelineLink, visit } from "../ui/links.js"
import { chipContent, chipLabel } from "../ui/parts.js"
import { fromLocal, localText } from "../ui/times.js"

/**
 * The form with what the address says.
 *
 * @param {Record<string, string>} filter
 */
export function form(filter) {
  /** @param {string} name @param {string} label @param {Properties} properties */
  const input = (name, label, properties) => inputField(`session-${name}`, label, { name, spellcheck: "false", ...properties })
  /** @param {string} name @param {string} label */
  const clock = (name, label) => input(name, label, { type: "datetime-local", value: localText(filter[name]), step: 1 })
  /** @param {Event} event */
  const submit = (event) => {
    const asked = formOf(event)
    /** @type {Query} */
    const changed = { ...filter, person: filledIn(asked, "person") }
    for (const name of ["since", "until"]) {
      const value = filledIn(asked, name) ?? ""
      changed[name] = value && value === localText(filter[name]) ? filter[name] : fromLocal(value)
    }
    visit(timelineLink(changed))
  }
  const others = Object.entries(filter).filter(([name]) => !["person", "since", "until"].includes(name))
  // On a small screen the session comes first; who has chosen one rarely changes it.
  const isFolded = matchMedia("(max-width: 820px)").matches && Object.keys(filter).length > 0
  return h("details", { class: "session-of", open: !isFolded }, h("summary", {}, "Whose session, and when"), h("form", { class: "session-form", submit, "aria-label": "Whose session, and of which time" },
    input("person", "Person", { type: "search", value: filter.person ?? "" }), clock("since", "From"), clock("until", "Until"), h("button", { type: "submit" }, "Show"),
    others.length > 0 && h("ul", { class: "chips", "aria-label": "Other filters" }, others.map(([name, value]) => h("li", {},
      h("a", { class: "chip", href: timelineLink({ ...filter, [name]: "" }), "aria-label": chipLabel(name, value) }, chipContent(name, value, 24))))),
    filter.person && h("a", { class: "action", href: personLink(filter.person) }, "Everything that this person did")))
}
