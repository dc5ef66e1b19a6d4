// A session: what a person or a device went through, as a picture and as a list, step by step, with what was shown at each.

import * as api from "../ui/api.js"
import { announce, h, replace, setTitle } from "../ui/elements.js"
import { personOf } from "../ui/lines.js"
import { learn, person as personKnown } from "../ui/people.js"
import { eventSummary } from "../ui/reading.js"
import { personLink, searchLink, timelineLink } from "../ui/links.js"
import { none, waiting } from "../ui/parts.js"
import { count, plural, short } from "../ui/texts.js"
import { instant, time } from "../ui/times.js"
import { form } from "./session-form.js"
import { stepList } from "./step-list.js"
import { chart } from "./timeline-chart.js"

const pageSize = 200
const kept = 40

/** @param {HTMLElement} content @param {URLSearchParams} query @param {AbortSignal} signal */
export async function showTimeline(content, query, signal) {
  const filter = Object.fromEntries([...query].filter(([name]) => !["step", "after", "before"].includes(name)))
  const title = titleOf(filter)
  setTitle(title)
  if (!["person", "partition", "boot", "key"].some((name) => filter[name])) {
    return replace(content, h("div", { class: "session" }, h("h1", {}, "Timeline"),
      h("p", { class: "lead" }, "Steps through what one person or one device went through: scopes, what was read and written in them, and the app’s own events."),
      form(filter)))
  }
  waiting(content, "Reading the session…")
  const [before, after] = [query.get("before"), query.get("after")]
  const session = await api.get("timeline", { ...filter, limit: pageSize, ...(before ? { before } : after ? { after } : {}) }, signal)
  await learn([filter.person, ...session.events.map(({ line }) => personOf(line))], signal)
  if (signal.aborted) return
  const { events, scopes } = session
  const heading = h("div", { class: "heading" }, h("h1", {}, title),
    h("div", { class: "tools" }, h("a", { class: "action", href: searchLink({ ...filter, order: "oldest" }) }, "As a list")))
  if (events.length === 0) {
    return replace(content, h("div", { class: "session" }, heading, form(filter), none("No events in this time."), pages(filter, session)))
  }

  const position = h("p", { class: "position", role: "status" })
  const shown = h("section", { class: "shown", "aria-label": "What was shown at this step" })
  const buttons = {
    first: button("First", "⇤", () => go(0)), back: button("Previous", "←", () => go(current - 1)),
    next: button("Next", "→", () => go(current + 1)), last: button("Last", "⇥", () => go(events.length - 1)),
  }
  const drawn = chart(session, (index) => go(index))
  const strip = h("div", { class: "strip", tabindex: 0, role: "group", "aria-label": "Picture of the session; the list of steps says the same" }, drawn.shape)
  const steps = stepList(session, (index) => go(index))
  let current = -1
  let leaving = new AbortController()
  /** @type {Map<string, EventAnswer>} */
  const answers = new Map()

  /** @param {number} index */
  async function go(index) {
    if (index < 0 || index >= events.length) return turn(index < 0 ? "before" : "after")
    current = index
    const { line, scope } = events[index]
    const step = `${line.partition}/${line.sequence}`
    const address = timelineLink({ ...filter, before, after, step })
    if (location.hash !== address) history.replaceState(null, "", address)
    const x = drawn.show(index)
    strip.scrollTo({ left: x - strip.clientWidth / 2, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" })
    steps.show(index)
    buttons.first.disabled = index === 0
    buttons.last.disabled = index === events.length - 1
    buttons.back.disabled = index === 0 && !session.before
    buttons.next.disabled = index === events.length - 1 && !session.after
    replace(position, h("strong", {}, `Step ${count(index + 1)} of ${count(events.length)}`), " · ", line.timestamp ? time(line.timestamp) : "unreadable", " · ",
      line.activity ?? "damaged event", " by ", h("a", { class: "whose", href: personLink(personOf(line)) }, personOf(line, true)),
      scope === null || scope === undefined ? ", outside any scope" : [", ", scopeText(scopes[scope])])
    leaving.abort()
    leaving = new AbortController()
    const onward = leaving.signal
    try {
      const answer = answers.get(step) ?? await api.event(line.partition, line.sequence, onward)
      answers.set(step, answer)
      if (answers.size > kept) answers.delete([...answers.keys()][0])
      const made = await eventSummary(answer, line.partition, line.sequence)
      if (!onward.aborted && !signal.aborted) replace(shown, made)
    } catch (error) {
      if (!onward.aborted && !signal.aborted) replace(shown, h("p", { class: "notice", role: "alert" }, error.message))
    }
  }

  /** @param {"before" | "after"} direction */
  function turn(direction) {
    const cursor = session[direction]
    if (cursor) location.hash = timelineLink({ ...filter, [direction]: cursor })
  }

  signal.addEventListener("abort", () => leaving.abort())
  document.addEventListener("keydown", (event) => {
    const isWriting = event.target instanceof Element && /^(input|select|textarea)$/i.test(event.target.tagName)
    if (event.altKey || event.ctrlKey || event.metaKey || isWriting) return
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: events.length - 1 }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    go(target)
  }, { signal })

  replace(content, h("div", { class: "session" }, heading, form(filter),
    h("p", { class: "caption" }, `${plural(events.length, "event")} in ${plural(scopes.length, "scope")}. Distances are steps: long pauses are cut and say how long they were. `,
      h("span", { class: "legend" }, h("span", { class: "read" }, "○ read"), " ", h("span", { class: "write" }, "■ write"), " ", h("span", { class: "custom" }, "◆ the app’s own event"))),
    people(filter, events), strip,
    h("div", { class: "controls" }, h("div", { class: "step-buttons", role: "group", "aria-label": "Steps" }, Object.values(buttons)), position),
    h("div", { class: "stage" }, steps.element, shown),
    pages(filter, session)))
  announce(`${plural(events.length, "event")}. The arrow keys go from step to step.`)
  const found = events.findIndex(({ line }) => `${line.partition}/${line.sequence}` === query.get("step"))
  await go(found >= 0 ? found : before ? events.length - 1 : 0)
}

/** @param {Record<string, string>} filter */
function titleOf(filter) {
  if (filter.person) return `Session of ${short(filter.person, 28)}`
  if (filter.boot) return `Session of device run ${short(filter.boot, 12)}`
  if (filter.key) return `Session around ${filter.class ?? "object"} ${short(filter.key, 24)}`
  return filter.partition ? "Session of a partition" : "Timeline"
}

/** @param {string} label @param {string} sign @param {() => unknown} click */
const button = (label, sign, click) => h("button", { type: "button", class: "quiet", "aria-label": `${label} step`, title: label, click }, h("span", { "aria-hidden": "true" }, sign))

/**
 * Says how a scope ended, and how much of it is not on this page.
 *
 * @param {SessionScope} scope
 * @returns {Child}
 */
function scopeText(scope) {
  const missing = [scope.hasEarlier && "earlier", scope.hasLater && "later"].filter(Boolean)
  const end = scope.isInterrupted
    ? h("span", { class: "tag warning" }, "interrupted: ended with its process")
    : scope.committed !== null && scope.committed !== undefined ? ["scope committed ", time(instant(scope.committed))] : "scope"
  return [end, missing.length > 0 && ` · has ${missing.join(" and ")} events outside this page`]
}

/**
 * Who has steps on this page, each with a link to theirs alone: several people may share an account and its device.
 *
 * @param {Record<string, string>} filter
 * @param {SessionEvent[]} events
 */
function people(filter, events) {
  /** @type {Map<string, number>} */
  const numbers = new Map()
  for (const { line } of events) numbers.set(personOf(line), (numbers.get(personOf(line)) ?? 0) + 1)
  if (filter.person && numbers.size === 1 && numbers.has(filter.person)) {
    return filter.boot ? h("p", { class: "people" }, h("a", { href: timelineLink({ ...filter, person: "" }) }, "Everybody at this device in this time")) : null
  }
  return h("ul", { class: "chips people", "aria-label": "Whose steps these are" }, [...numbers].map(([person, number]) => h("li", {},
    h("a", { class: "chip", href: timelineLink({ ...filter, person }), "aria-label": `Only the steps of ${person}` }, personKnown(person)?.name ?? short(person, 28), " ", h("span", { class: "name" }, count(number))))))
}

/** @param {Record<string, string>} filter @param {Session} session */
function pages(filter, { before, after }) {
  return h("nav", { class: "pager", "aria-label": "Other times" },
    before && h("a", { class: "action", href: timelineLink({ ...filter, before }) }, "← Earlier events"),
    after && h("a", { class: "action", href: timelineLink({ ...filter, after }) }, "Later events →"))
}
