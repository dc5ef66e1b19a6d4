// The classes of the file, with the counts of their objects.

import { byId, h, replace, setTitle } from "../ui/elements.js"
import { cell, none, tableHead } from "../ui/parts.js"
import { count, plural } from "../ui/texts.js"
import { ask } from "./file-api.js"
import { classLink } from "./stored-values.js"

/** @param {FileProperty} property */
const described = ({ name, type, isPrimaryKey, isIndexed }) => `${name}: ${type}${isPrimaryKey ? ", primary key" : isIndexed ? ", indexed" : ""}`

/**
 * Shows all classes.
 *
 * @param {HTMLElement} content
 * @param {FileAddress} address
 * @returns {Promise<ReadAgain>}
 */
export async function showClasses(content, { signal }) {
  setTitle("Classes")
  const lead = h("p", { class: "lead" })
  const place = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Classes" })
  replace(content, h("div", { class: "heading" }, h("h1", {}, "Classes")), lead, place)
  return async () => {
    const { state, name, schemaVersion, classes } = await ask("classes", {}, signal)
    byId("name").textContent = name
    lead.textContent = `Schema version ${schemaVersion}, ${plural(classes.length, "class", "classes")}.`
    replace(place, classes.length === 0 ? none("The file has no class.") : h("table", { class: "read-table" },
      tableHead("Class", "Objects", "Properties"), h("tbody", {}, classes.map(row))))
    return state
  }
}

/** @param {FileClass} one */
const row = ({ name, count: objects, isEmbedded, properties }) => h("tr", {},
  h("th", { scope: "row" }, h("a", { href: classLink(name), id: `class-${name}` }, name), isEmbedded && [" ", h("span", { class: "tag" }, "embedded")]),
  h("td", { "data-label": "Objects", class: "amount" }, count(objects)),
  cell("Properties", h("span", { class: "class-properties" }, properties.map(described).join(" · "))))
