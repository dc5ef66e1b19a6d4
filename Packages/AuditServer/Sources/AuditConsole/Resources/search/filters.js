// The form of a search's filters; on small screens it is folded.

import * as api from "../ui/api.js"
import { h, replace } from "../ui/elements.js"
import { field, filledIn, formOf, inputField } from "../ui/forms.js"
import { plural } from "../ui/texts.js"
import { fromLocal, localText } from "../ui/times.js"

/** @type {FilterField[]} */
const fields = [
  { name: "person", label: "Person", help: "An account, or a value such as a user name that the app recorded", values: "person" },
  { name: "class", label: "Object’s class", values: "class" },
  { name: "key", label: "Object’s key" },
  { name: "activity", label: "Activity", values: "activity" },
  { name: "event", label: "Type", help: "read, write, or a type of the app’s own", values: "event" },
  { name: "outcome", label: "Outcome", options: [["", "any"], ["complete", "complete"], ["nothingFound", "nothing found"], ["interrupted", "interrupted"], ["incomplete", "incomplete"], ["damaged", "damaged"], ["erased", "erased"]] },
  { name: "text", label: "Text", help: "Anywhere in the event" },
]
/** @type {FilterField[]} */
const more = [
  { name: "app", label: "App", values: "app" },
  { name: "partition", label: "Partition" },
  { name: "device", label: "Device’s key", help: "Of the device that closed the partition", values: "device" },
  { name: "boot", label: "Run of a device", help: "From one start of its system to the next" },
]
const deviceTimes = [{ name: "since", label: "From, by the device’s clock" }, { name: "until", label: "Until" }]
const serverTimes = [{ name: "receivedSince", label: "From, by the server’s clock" }, { name: "receivedUntil", label: "Until" }]

/**
 * The form with what a filter has; `go` searches with changes of it.
 *
 * @param {Record<string, string>} filter
 * @param {(changes: Query) => void} go
 * @param {string} page
 * @param {AbortSignal} signal
 */
export function filters(filter, go, page, signal) {
  /** @param {{ name: string, label: string }} time */
  const clock = ({ name, label }) => inputField(`filter-${name}`, label, { name, type: "datetime-local", step: 1, value: localText(filter[name]) })
  const known = Object.keys(filter).filter((name) => name.startsWith("metadata."))
  const [first] = known
  const column = h("input", { id: "filter-column", name: "column", type: "search", value: first?.slice(9), autocomplete: "off" })
  const value = h("input", { id: "filter-value", name: "value", type: "search", value: first && filter[first], autocomplete: "off" })
  /** @param {Event} event */
  const submit = (event) => {
    const form = formOf(event)
    /** @type {Query} */
    const changes = Object.fromEntries(known.map((name) => [name, ""]))
    for (const { name } of [...fields, ...more]) changes[name] = filledIn(form, name)
    for (const { name } of [...deviceTimes, ...serverTimes]) {
      const text = filledIn(form, name) ?? ""
      // A time that was chosen in the histogram is more exact than the form; it stays unless somebody changes it.
      const isSame = text && new Date(text).getTime() === new Date(localText(filter[name])).getTime()
      changes[name] = isSame ? filter[name] : fromLocal(text)
    }
    if (column.value) changes[`metadata.${column.value}`] = value.value
    go(changes)
  }
  const isNarrow = matchMedia("(max-width: 820px)").matches
  return h("details", { class: "filters", open: !isNarrow },
    h("summary", {}, "Filters"),
    h("form", { submit, "aria-label": "Filters" },
      fields.map((one) => input(one, filter[one.name], signal)),
      deviceTimes.map(clock),
      h("details", { class: "more", open: [...more, ...serverTimes].some(({ name }) => filter[name]) || known.length > 0 },
        h("summary", {}, "More"),
        h("div", { class: "field pair" }, h("label", { for: "filter-column" }, "Metadata column"), column, h("label", { for: "filter-value" }, "Its value"), value),
        serverTimes.map(clock), more.map((one) => input(one, filter[one.name], signal))),
      h("div", { class: "actions" }, h("button", { type: "submit" }, "Search"), h("a", { href: `#/${page}` }, "Clear"))))
}

/** @param {FilterField} one @param {Maybe<string>} filled @param {AbortSignal} signal */
function input({ name, label, help, values, options }, filled, signal) {
  const id = `filter-${name}`
  const list = values && h("datalist", { id: `${id}-values` })
  const control = options
    ? h("select", { id, name }, options.map(([value, text]) => h("option", { value, selected: (filled ?? "") === value }, text)))
    : h("input", {
      id, name, type: "search", value: filled, autocomplete: "off", spellcheck: "false",
      list: list && list.id, "aria-describedby": help && `${id}-help`,
    })
  if (list) control.addEventListener("focus", () => suggest(list, values, signal), { once: true })
  return field(id, label, control, list, help && h("span", { class: "help", id: `${id}-help` }, help))
}

/** @param {HTMLElement} list @param {string} values @param {AbortSignal} signal */
async function suggest(list, values, signal) {
  try {
    const found = await api.get("search/values", { of: values, limit: 200 }, signal)
    replace(list, found.map(({ value, events }) => h("option", { value }, plural(events, "event"))))
  } catch {
    // Suggestions are a help; without them the field takes any text.
  }
}
