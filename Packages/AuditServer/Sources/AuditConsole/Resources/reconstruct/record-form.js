// Asks which record is to be shown, whose view, and of which moment: a time, or one of the person's own events about it.

import { h } from "../ui/elements.js"
import { filledIn, formOf, inputField } from "../ui/forms.js"
import { reconstructLink, visit } from "../ui/links.js"
import { fromLocal, localText } from "../ui/times.js"

/**
 * The form with what the address says, and the way to the person's event before and after.
 *
 * @param {Record<string, string>} asked
 * @param {EventLine[]} events
 * @param {string | null} moment
 * @returns {Child}
 */
export function form(asked, events = [], moment = null) {
  /** @param {string} name @param {string} label @param {Properties} properties */
  const input = (name, label, properties) => inputField(`record-${name}`, label, { name, spellcheck: "false", ...properties })
  /** @param {string} name @param {string} label */
  const text = (name, label) => input(name, label, { type: "search", value: asked[name] ?? "", required: true })
  const at = localText(moment ?? (asked.at?.includes("/") ? "" : asked.at))
  /** @param {Event} event */
  const submit = (event) => {
    const filled = formOf(event)
    const person = filledIn(filled, "person")
    const when = filledIn(filled, "at") ?? ""
    visit(reconstructLink({
      ...asked, class: filledIn(filled, "class"), key: filledIn(filled, "key"), at: when === at ? asked.at : fromLocal(when), ...(person !== null && { person }),
    }))
  }
  const isOther = asked.partition || asked.boot || Object.keys(asked).some((name) => name.startsWith("metadata."))
  const isFolded = matchMedia("(max-width: 820px)").matches && moment !== null
  return [h("details", { class: "session-of", open: !isFolded }, h("summary", {}, "Which record, whose view, which moment"), h("form", { class: "session-form", submit, "aria-label": "Which record, whose view and which moment" },
    text("class", "Class"), text("key", "Key"), (asked.person || !isOther) && text("person", "Person"),
    input("at", "Moment", { type: "datetime-local", value: at, step: 1 }),
    h("button", { type: "submit" }, "Show"))), events.length > 0 && moment !== null && steps(asked, events, moment)]
}

/**
 * The way to the event before and after.
 *
 * @param {Record<string, string>} asked
 * @param {EventLine[]} events
 * @param {string} moment
 */
function steps(asked, events, moment) {
  const place = events.findIndex(({ partition, sequence }) => asked.at === `${partition}/${sequence}`)
  const earlier = events.map(({ timestamp }, index) => (timestamp && timestamp < moment ? index : -1))
  const before = place > 0 ? place - 1 : place < 0 ? Math.max(-1, ...earlier) : -1
  const after = place >= 0 ? (place + 1 < events.length ? place + 1 : -1) : events.findIndex(({ timestamp }) => timestamp && timestamp > moment)
  /** @param {string} label @param {number} index */
  const button = (label, index) => h("button", {
    type: "button", class: "quiet", disabled: index < 0,
    click: () => { location.hash = reconstructLink({ ...asked, at: `${events[index].partition}/${events[index].sequence}` }) },
  }, label)
  return h("div", { class: "step-buttons", role: "group", "aria-label": "The person’s own events about this record" },
    button("← Event before", before), button("Event after →", after))
}
