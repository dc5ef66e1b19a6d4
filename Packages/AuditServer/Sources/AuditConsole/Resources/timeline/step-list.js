// The steps of a session as a list, each scope's events together as long as nothing comes between.

import { h } from "../ui/elements.js"
import { firstChange } from "../ui/changes.js"
import { personOf, unreadable } from "../ui/lines.js"
import { count, short } from "../ui/texts.js"
import { time } from "../ui/times.js"
import { drawnAs } from "./timeline-chart.js"

/**
 * The list; `choose(index)` is called for the step that somebody takes.
 *
 * @param {Session} session
 * @param {(index: number) => void} choose
 */
export function stepList({ events, scopes }, choose) {
  /** @type {HTMLElement[]} */
  const items = []
  /** @type {{ scope: Maybe<number>, items: HTMLElement[] }[]} */
  const groups = []
  events.forEach(({ line, scope }, index) => {
    const item = h("button", { type: "button", class: `step ${drawnAs(line)}`, click: () => choose(index) },
      h("span", { class: "when" }, line.timestamp ? time(line.timestamp).lastChild?.textContent : "unreadable"), " ",
      h("span", { class: "what" }, h("span", { class: "whose" }, personOf(line, true)), " ", what(line)))
    items.push(item)
    const last = groups[groups.length - 1]
    if (last && last.scope === scope && scope !== null && scope !== undefined) last.items.push(item)
    else groups.push({ scope, items: [item] })
  })
  const element = h("nav", { class: "steps-list", "aria-label": "All steps" },
    h("ol", {}, groups.map((group) => {
      const scope = group.scope === null || group.scope === undefined ? null : scopes[group.scope]
      return h("li", { class: scope ? "scope" : "free" },
        h("span", { class: "name" }, scope?.activity ?? "Outside any scope", scope?.isInterrupted && [" ", h("span", { class: "tag warning" }, "interrupted")]),
        h("ol", {}, group.items.map((item) => h("li", {}, item))))
    })))
  return {
    element,
    /**
     * Marks the step that is shown.
     *
     * @param {number} index
     */
    show(index) {
      items.forEach((item, at) => (at === index ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")))
      const box = items[index]
      const top = box.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop
      if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - 40) element.scrollTop = top - element.clientHeight / 2
    },
  }
}

/**
 * What happened at a step, in a few words.
 *
 * @param {EventLine} line
 */
function what(line) {
  if (!line.activity) return unreadable(line)
  const named = line.objects.filter((object) => object.class)
  if (named.length === 0) return line.event && drawnAs(line) === "custom" ? `${line.activity}: ${line.event}` : (line.event ?? line.activity)
  /** @type {Record<string, string>} */
  const verbs = { read: "saw", inserted: "created", modified: "changed", deleted: "deleted", shown: "saw" }
  const rest = line.objectCount - 1
  return `${verbs[named[0].action]} ${named[0].class} ${short(named[0].label ?? named[0].key, named[0].label ? 28 : 10)}${rest > 0 ? ` and ${count(rest)} more` : firstChange(line)}`
}
