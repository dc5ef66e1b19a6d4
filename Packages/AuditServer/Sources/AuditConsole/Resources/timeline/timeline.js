// A session: what a person or a device went through, as a picture and as a list, step by step, with what was shown at each.

import * as api from "../ui/api.js"
import { firstChange } from "../ui/changes.js"
import { eventSummary } from "../event/event.js"
import { personLink, searchLink, timelineLink, visit } from "../ui/links.js"
import { personOf } from "../search/search.js"
import { chart } from "./timeline-chart.js"
import { announce, count, h, localText, plural, replace, short, time, unreadable } from "../ui/elements.js"
import { filterName, filterValue } from "../ui/words.js"

const pageSize = 200
const kept = 40

export async function showTimeline(content, query, signal) {
  const filter = Object.fromEntries([...query].filter(([name]) => !["step", "after", "before"].includes(name)))
  const title = titleOf(filter)
  document.title = `${title} · Daybook`
  if (!["person", "partition", "boot", "key"].some((name) => filter[name])) {
    return replace(content, h("div", { class: "session" }, h("h1", {}, "Timeline"),
      h("p", { class: "lead" }, "Steps through what one person or one device went through: scopes, what was read and written in them, and the app’s own events."),
      form(filter)))
  }
  replace(content, h("p", { class: "state" }, "Reading the session…"))
  const asked = { ...filter, limit: pageSize }
  if (query.get("before")) asked.before = query.get("before")
  else if (query.get("after")) asked.after = query.get("after")
  const session = await api.get("timeline", asked, signal)
  if (signal.aborted) return
  const { events, scopes } = session
  const heading = h("div", { class: "heading" }, h("h1", {}, title),
    h("div", { class: "tools" }, h("a", { class: "action", href: searchLink({ ...filter, order: "oldest" }) }, "As a list")))
  if (events.length === 0) {
    return replace(content, h("div", { class: "session" }, heading, form(filter), h("p", { class: "none" }, "No events in this time."), pages(filter, session)))
  }

  const position = h("p", { class: "position", role: "status" })
  const shown = h("section", { class: "shown", "aria-label": "What was shown at this step" })
  const buttons = {
    first: button("First", "⇤", () => go(0)), back: button("Previous", "←", () => go(current - 1)),
    next: button("Next", "→", () => go(current + 1)), last: button("Last", "⇥", () => go(events.length - 1)),
  }
  const drawn = chart(session, (index) => go(index))
  const strip = h("div", { class: "strip", tabindex: 0, role: "group", "aria-label": "Picture of the session; the list of steps says the same" }, drawn.shape)
  const steps = list(session, (index) => go(index))
  let current = -1
  let leaving = new AbortController()
  const answers = new Map()

  async function go(index) {
    if (index < 0 || index >= events.length) return turn(index < 0 ? "before" : "after")
    current = index
    const { line, scope } = events[index]
    const step = `${line.partition}/${line.sequence}`
    const address = timelineLink({ ...filter, before: query.get("before"), after: query.get("after"), step })
    if (location.hash !== address) history.replaceState(null, "", address)
    const x = drawn.show(index)
    strip.scrollTo({ left: x - strip.clientWidth / 2, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" })
    steps.show(index)
    buttons.first.disabled = index === 0
    buttons.last.disabled = index === events.length - 1
    buttons.back.disabled = index === 0 && !session.before
    buttons.next.disabled = index === events.length - 1 && !session.after
    replace(position, h("strong", {}, `Step ${count(index + 1)} of ${count(events.length)}`), " · ", line.timestamp ? time(line.timestamp) : "unreadable", " · ",
      line.activity ?? "damaged event", " by ", h("a", { class: "whose", href: personLink(personOf(line)) }, personOf(line, true)), scope === null || scope === undefined ? ", outside any scope" : [", ", scopeText(scopes[scope])])
    leaving.abort()
    leaving = new AbortController()
    const step0 = leaving.signal
    try {
      if (!answers.has(step)) {
        answers.set(step, await api.event(line.partition, line.sequence, step0))
        if (answers.size > kept) answers.delete(answers.keys().next().value)
      }
      const made = await eventSummary(answers.get(step), line.partition, line.sequence)
      if (!step0.aborted && !signal.aborted) replace(shown, made)
    } catch (error) {
      if (!step0.aborted && !signal.aborted) replace(shown, h("p", { class: "notice", role: "alert" }, error.message))
    }
  }

  function turn(direction) {
    const cursor = session[direction]
    if (cursor) location.hash = timelineLink({ ...filter, [direction]: cursor })
  }

  signal.addEventListener("abort", () => leaving.abort())
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(input|select|textarea)$/i.test(event.target.tagName)) return
    const target = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: events.length - 1 }[event.key]
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
  const asked0 = query.get("step")
  const found = events.findIndex(({ line }) => `${line.partition}/${line.sequence}` === asked0)
  await go(found >= 0 ? found : query.get("before") ? events.length - 1 : 0)
}

function titleOf(filter) {
  if (filter.person) return `Session of ${short(filter.person, 28)}`
  if (filter.boot) return `Session of device run ${short(filter.boot, 12)}`
  if (filter.key) return `Session around ${filter.class ?? "object"} ${short(filter.key, 24)}`
  return filter.partition ? "Session of a partition" : "Timeline"
}

const button = (label, sign, click) => h("button", { type: "button", class: "quiet", "aria-label": `${label} step`, title: label, click }, h("span", { "aria-hidden": "true" }, sign))

/** Says how a scope ended, and how much of it is not on this page. */
function scopeText(scope) {
  const missing = [scope.hasEarlier && "earlier", scope.hasLater && "later"].filter(Boolean)
  const end = scope.isInterrupted
    ? h("span", { class: "tag warning" }, "interrupted: ended with its process")
    : scope.committed !== null && scope.committed !== undefined ? ["scope committed ", time(new Date(scope.committed / 1000).toISOString())] : "scope"
  return [end, missing.length > 0 && ` · has ${missing.join(" and ")} events outside this page`]
}

/** The steps as a list, each scope's events together as long as nothing comes between. */
function list({ events, scopes }, choose) {
  const items = []
  const groups = []
  events.forEach(({ line, scope }, index) => {
    const kind = ["read", "write"].includes(line.event) ? line.event : "custom"
    const item = h("button", { type: "button", class: `step ${kind}`, click: () => choose(index) },
      h("span", { class: "when" }, line.timestamp ? time(line.timestamp).lastChild.textContent : "unreadable"), " ",
      h("span", { class: "what" }, h("span", { class: "whose" }, personOf(line, true)), " ", what(line)))
    items.push(item)
    const last = groups.at(-1)
    if (last && last.scope === scope && scope !== null && scope !== undefined) last.items.push(item)
    else groups.push({ scope, items: [item], name: scope === null || scope === undefined ? "Outside any scope" : scopes[scope].activity, isInterrupted: scopes[scope]?.isInterrupted })
  })
  const element = h("nav", { class: "steps-list", "aria-label": "All steps" },
    h("ol", {}, groups.map((group) => h("li", { class: group.scope === null || group.scope === undefined ? "free" : "scope" },
      h("span", { class: "name" }, group.name, group.isInterrupted && [" ", h("span", { class: "tag warning" }, "interrupted")]),
      h("ol", {}, group.items.map((item) => h("li", {}, item)))))))
  return {
    element,
    show(index) {
      items.forEach((item, at) => (at === index ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")))
      const box = items[index]
      const top = box.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop
      if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - 40) element.scrollTop = top - element.clientHeight / 2
    },
  }
}

function what(line) {
  if (!line.activity) return unreadable(line)
  const named = line.objects.filter((object) => object.class)
  if (named.length === 0) return line.event && !["read", "write"].includes(line.event) ? `${line.activity}: ${line.event}` : (line.event ?? line.activity)
  const verbs = { read: "saw", inserted: "created", modified: "changed", deleted: "deleted", shown: "saw" }
  const rest = line.objectCount - 1
  return `${verbs[named[0].action]} ${named[0].class} ${short(named[0].key, 10)}${rest > 0 ? ` and ${count(rest)} more` : firstChange(line)}`
}

/** Who has steps on this page, each with a link to theirs alone: several people may share an account and its device. */
function people(filter, events) {
  const numbers = new Map()
  for (const { line } of events) numbers.set(personOf(line), (numbers.get(personOf(line)) ?? 0) + 1)
  if (filter.person && numbers.size === 1 && numbers.has(filter.person)) {
    return filter.boot ? h("p", { class: "people" }, h("a", { href: timelineLink({ ...filter, person: "" }) }, "Everybody at this device in this time")) : null
  }
  return h("ul", { class: "chips people", "aria-label": "Whose steps these are" }, [...numbers].map(([person, number]) => h("li", {},
    h("a", { class: "chip", href: timelineLink({ ...filter, person }), "aria-label": `Only the steps of ${person}` }, short(person, 28), " ", h("span", { class: "name" }, count(number))))))
}

function pages(filter, { before, after }) {
  return h("nav", { class: "pager", "aria-label": "Other times" },
    before && h("a", { class: "action", href: timelineLink({ ...filter, before }) }, "← Earlier events"),
    after && h("a", { class: "action", href: timelineLink({ ...filter, after }) }, "Later events →"))
}

/** Whose session, and of which time. */
function form(filter) {
  const input = (name, label, type, value, step) => h("div", { class: "field" }, h("label", { for: `session-${name}` }, label),
    h("input", { id: `session-${name}`, name, type, value, step, autocomplete: "off", spellcheck: "false" }))
  const submit = (event) => {
    event.preventDefault()
    const { elements } = event.currentTarget
    const changed = { ...filter, person: elements.person.value.trim() }
    for (const name of ["since", "until"]) {
      const { value } = elements[name]
      const isSame = value && value === localText(filter[name])
      changed[name] = isSame ? filter[name] : value && new Date(value).toISOString()
    }
    visit(timelineLink(changed))
  }
  const others = Object.entries(filter).filter(([name]) => !["person", "since", "until"].includes(name))
  // On a small screen the session comes first; who has chosen one rarely changes it.
  const isFolded = matchMedia("(max-width: 820px)").matches && Object.keys(filter).length > 0
  return h("details", { class: "session-of", open: !isFolded }, h("summary", {}, "Whose session, and when"), h("form", { class: "session-form", submit, "aria-label": "Whose session, and of which time" },
    input("person", "Person", "search", filter.person ?? ""), input("since", "From", "datetime-local", localText(filter.since), 1),
    input("until", "Until", "datetime-local", localText(filter.until), 1), h("button", { type: "submit" }, "Show"),
    others.length > 0 && h("ul", { class: "chips", "aria-label": "Other filters" }, others.map(([name, value]) => h("li", {},
      h("a", { class: "chip", href: timelineLink({ ...filter, [name]: "" }), "aria-label": `Remove the filter ${filterName(name)}: ${filterValue(name, value)}` },
        h("span", { class: "name" }, filterName(name)), " ", short(filterValue(name, value), 24), h("span", { "aria-hidden": "true" }, " ×"))))),
    filter.person && h("a", { class: "action", href: personLink(filter.person) }, "Everything that this person did")))
}
