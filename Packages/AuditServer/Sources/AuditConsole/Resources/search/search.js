// The search: filters, the volume over time, results by pages, and new events as they arrive.

import * as api from "../ui/api.js"
import { changeList } from "../ui/changes.js"
import { exportButton } from "../exports/exports.js"
import { eventLink, objectLink, personLink, timelineLink, visit } from "../ui/links.js"
import { announce, count, h, localText, plural, replace, short, time, unreadable } from "../ui/elements.js"
import { maskedText } from "../ui/unmask.js"
import { saveView, viewLinks } from "../views/views.js"
import { showVolume } from "../ui/volume.js"
import { filterName, filterValue, inZone, spoken } from "../ui/words.js"

const pageSize = 50
const followEvery = 2000

const fields = [
  { name: "person", label: "Person", help: "An account, or a value such as a user name that the app recorded", values: "person" },
  { name: "class", label: "Object’s class", values: "class" },
  { name: "key", label: "Object’s key" },
  { name: "activity", label: "Activity", values: "activity" },
  { name: "event", label: "Type", help: "read, write, or a type of the app’s own", values: "event" },
  { name: "outcome", label: "Outcome", options: [["", "any"], ["complete", "complete"], ["nothingFound", "nothing found"], ["interrupted", "interrupted"], ["incomplete", "incomplete"], ["damaged", "damaged"], ["erased", "erased"]] },
  { name: "text", label: "Text", help: "Anywhere in the event" },
]
const more = [
  { name: "app", label: "App", values: "app" },
  { name: "partition", label: "Partition" },
  { name: "device", label: "Device’s key", help: "Of the device that closed the partition", values: "device" },
  { name: "boot", label: "Run of a device", help: "From one start of its system to the next" },
]
const times = [
  { name: "since", label: "From, by the device’s clock" },
  { name: "until", label: "Until" },
  { name: "receivedSince", label: "From, by the server’s clock" },
  { name: "receivedUntil", label: "Until" },
]

/** Reads the filter out of the address; what is not known stays, and the server says so. */
const filterOf = (query) => Object.fromEntries([...query].filter(([name]) => !["order", "after", "before"].includes(name)))

export async function showSearch(content, query, signal, fixed = {}) {
  const filter = filterOf(query)
  const asked = { ...filter, ...fixed }
  const order = query.get("order") === "oldest" ? "oldest" : "newest"
  const page = location.hash.replace(/^#\/?/, "").split("?")[0] || "search"
  const go = (changes) => {
    const next = new URLSearchParams({ ...filter, order, ...changes })
    for (const [name, value] of [...next]) if (value === "" || (name === "order" && value === "newest")) next.delete(name)
    const text = next.toString()
    visit(`#/${page}${text ? `?${text}` : ""}`)
  }
  const title = titleOf(filter, fixed)
  document.title = `${title} · Daybook`

  const volume = h("div", { class: "volume-place", "aria-busy": "true" })
  const state = h("p", { class: "state" }, "Searching…")
  const views = h("nav", { class: "views", "aria-label": "Saved views" })
  const rows = h("tbody", {})
  const pager = h("nav", { class: "pager", "aria-label": "Pages of results" })
  const live = h("button", { type: "button", class: "quiet", "aria-pressed": "false" }, "Follow live")
  const table = h("table", { class: "results" },
    h("thead", {}, h("tr", {}, ["Time", "Person", "Activity", "What", "Proof"].map((name) => h("th", { scope: "col" }, name)))), rows)
  replace(content, h("div", { class: "search" },
    filters(filter, go, page, signal),
    h("section", { class: "found", "aria-labelledby": "title" },
      h("div", { class: "heading" }, h("h1", { id: "title" }, title),
        h("div", { class: "tools" }, exportButton(asked, signal), !fixed.app && [saveView(filter, signal), subjectLinks(filter)], live,
          h("button", { type: "button", class: "quiet", click: () => go({ order: order === "newest" ? "oldest" : "newest" }) },
            order === "newest" ? "Show oldest first" : "Show newest first"))),
      fixed.app && h("p", {}, h("a", { href: "#/trail?activity=unmask%20event" }, "Only where masked values of an event were shown"), ", ",
        h("a", { href: "#/trail?activity=unmask%20object" }, "or of an object")),
      views, chips(filter, go, page), volume, state, table, pager)))
  if (!fixed.app && Object.keys(filter).length === 0) viewLinks(views, signal)
  follow(live, rows, asked, signal)
  const first = turn(asked, order, { after: query.get("after"), before: query.get("before") }, { state, rows, pager, go }, signal)
  showVolume(volume, asked, order, first, (since, until) => go({ since, until }), signal)
  await first
}

function titleOf(filter, fixed) {
  if (fixed.app) return filter.person ? `What ${short(filter.person, 40)} did as an auditor` : "What auditors and administrators did"
  if (filter.key) return `Everything about ${filter.class ?? "object"} ${short(filter.key, 24)}`
  if (filter.person) return `Everything that ${short(filter.person, 24)} did`
  return "All events"
}

/** Leads to the page of the person or the object, and to the timeline. */
function subjectLinks(filter) {
  const { order, text, ...session } = filter
  return [
    filter.key && h("a", { class: "action", href: objectLink(filter.class, filter.key) }, "This object"),
    filter.person && h("a", { class: "action", href: personLink(filter.person) }, "This person"),
    ["person", "key", "partition", "boot"].some((name) => filter[name]) && h("a", { class: "action", href: timelineLink(session) }, "Step through"),
  ]
}

/** Searches page by page until there are results or nothing is left to look at; returns what was found, and where to go on. */
async function turn(asked, order, place, { state, rows, pager, go }, signal) {
  const query = { ...asked, order, limit: pageSize }
  if (place.before) query.before = place.before
  else if (place.after) query.after = place.after
  let answer
  let start
  const found = []
  do {
    answer = await api.get("search", query, signal)
    start ??= answer
    if (place.before) found.unshift(...answer.events)
    else found.push(...answer.events)
    replace(rows, found.map(row))
    const isGoingOn = found.length < pageSize && (place.before ? answer.before : answer.after)
    if (!isGoingOn) break
    state.textContent = `${plural(found.length, "event")} so far, still searching…`
    if (place.before) query.before = answer.before
    else query.after = answer.after
  } while (!signal.aborted)
  const text = found.length === 0 ? "Nothing fits." : `${plural(found.length, "event")} on this page.`
  if (found.length === 0) replace(rows, h("tr", {}, h("td", { class: "nothing", colspan: 5 }, nothing(asked))))
  state.textContent = answer.isCurrent ? text : `${text} The newest events are still being prepared for searching.`
  announce(text)
  const isLater = place.after || place.before
  replace(pager,
    isLater && h("button", { type: "button", class: "quiet", click: () => go({}) }, "First page"),
    isLater && found.length > 0 && h("button", { type: "button", class: "quiet", click: () => go({ before: found[0].cursor }) }, "Previous"),
    answer.after && h("button", { type: "button", class: "quiet", click: () => go({ after: answer.after }) }, "Next"))
  // A search that looked at several pages has its other end where it began.
  return { events: found, before: place.before ? answer.before : start.before, after: place.before ? start.after : answer.after }
}

/** What to do when nothing was found. */
function nothing(asked) {
  return Object.keys(asked).length === 0
    ? "No device has sent an event yet. As soon as one does, it is here."
    : "No event that you may read fits all of the filters. Take one away, or look at a longer time. Names and keys are compared letter by letter."
}

/** A row of the results. */
export function row(line) {
  const link = eventLink(line.partition, line.sequence)
  return h("tr", { class: `result ${kindOf(line)}` },
    h("td", { class: "when" }, h("a", { href: link }, line.timestamp ? time(line.timestamp) : h("span", { class: "none" }, "unreadable"))),
    h("td", { class: "who" }, line.event === "audit" ? auditor(line) : h("a", { href: personLink(personOf(line)), title: `Account ${line.user ?? "unknown"}` }, personOf(line, true))),
    h("td", { class: "activity" }, line.activity ?? unreadable(line), " ", h("span", { class: `tag ${kindOf(line)}` }, line.event ?? "custom")),
    h("td", { class: "what" }, summary(line)),
    h("td", { class: "flags" }, flags(line)))
}

/** The columns of metadata that apps name people in. */
export const personColumns = ["userId", "user", "username", "userName", "nurse", "name", "email"]

/** The person's name as far as the app recorded one, else the account. */
export function personOf(line, shown) {
  const name = personColumns.map((key) => line.metadata[key]).find((value) => value && value !== maskedText)
  return name ?? (shown ? short(line.user ?? "unknown", 10) : (line.user ?? ""))
}

const kindOf = (line) => (["read", "write", "audit"].includes(line.event) ? line.event : "custom")

function summary(line) {
  if (line.event === "audit") return h("span", { class: "excerpt" }, asked(line.excerpt))
  if (line.objectCount === 0) return line.excerpt ? h("span", { class: "excerpt" }, inZone(line.excerpt)) : h("span", { class: "none" }, "—")
  const named = line.objects.filter((object) => object.class).slice(0, 3)
  const rest = line.objectCount - named.length
  return [
    named.map((object) => h("a", { class: `object ${object.action}`, href: objectLink(object.class, object.key), title: `${object.class} ${object.key}, ${object.action}` },
      object.class, " ", h("span", { class: "key" }, short(object.key, 8)))),
    rest > 0 && h("span", { class: "none" }, `and ${count(rest)} more`),
    changeList(line),
  ]
}

/** What an auditor asked for, as far as it is shown in a list. */
function asked(excerpt) {
  try {
    const { about, from, reason } = JSON.parse(excerpt)
    return `${about ? subjectOf(about) : "everything"}${reason ? ` · because: ${reason}` : ""} · from ${from}`
  } catch {
    // A long record is cut in a list; its start says enough.
    return /^\{"about":"((?:[^"\\]|\\.)*)/.exec(excerpt ?? "")?.[1] ?? excerpt ?? ""
  }
}

/** What was asked for, in words; a query says it as an address does. */
const subjectOf = (about) => (/^[\w.%]+=\S*$/.test(about) ? spoken(about) : inZone(about))

/** Who did something: whom the token was issued to. Earlier versions wrote only the role. */
function auditor(line) {
  const role = /"role":"(\w+)"/.exec(line.excerpt ?? "")?.[1]
  const { name } = line.metadata
  if (!name) return role ? `${role === "reviewer" ? "a" : "an"} ${role}` : "an auditor"
  return [h("a", { href: `#/trail?${new URLSearchParams({ person: name }).toString().replaceAll("+", "%20")}` }, name), role && h("span", { class: "none" }, ` ${role}`)]
}

function flags(line) {
  if (line.changed) return h("span", { class: "badge broken" }, "Changed")
  if (line.outcome === "nothingFound") return h("span", { class: "none" }, "nothing found")
  if (line.outcome !== "complete") return h("span", { class: "tag warning" }, line.outcome)
  return h("span", { class: "none" }, line.masked ? "partly masked" : "as received")
}

function chips(filter, go, page) {
  const names = Object.keys(filter)
  if (names.length === 0) return null
  return h("ul", { class: "chips", "aria-label": "Filters" }, names.map((name) => h("li", {},
    h("button", { type: "button", class: "chip", click: () => go({ [name]: "" }), "aria-label": `Remove the filter ${filterName(name)}: ${filterValue(name, filter[name])}` },
      h("span", { class: "name" }, filterName(name)), " ", short(filterValue(name, filter[name]), 32), h("span", { "aria-hidden": "true" }, " ×")))),
    h("li", {}, h("a", { href: `#/${page}` }, "Clear all")))
}

/** Follows what arrives. */
function follow(button, rows, asked, signal) {
  let timer = null
  let last = null
  // Behind a balancer two servers may tell of one event.
  let told = new Set()
  const stop = () => {
    clearTimeout(timer)
    timer = null
    button.setAttribute("aria-pressed", "false")
    button.textContent = "Follow live"
  }
  const look = async () => {
    try {
      const news = await api.get("search/new", last === null ? asked : { ...asked, last }, signal)
      last = news.last
      if (news.beginsAnew) announce("The server does not know how far it was followed. Search again to see what arrived meanwhile.")
      const fresh = news.events.filter(({ partition, sequence }) => !told.has(`${partition}/${sequence}`))
      for (const { partition, sequence } of fresh) told.add(`${partition}/${sequence}`)
      if (told.size > 5000) told = new Set([...told].slice(-1000))
      if (fresh.length > 0) {
        rows.querySelector(".nothing")?.parentElement.remove()
        for (const line of fresh) {
          const made = row(line)
          made.classList.add("fresh")
          rows.prepend(made)
        }
        // What is shown stays bounded however long somebody follows.
        while (rows.children.length > 500) rows.lastChild.remove()
        announce(plural(fresh.length, "new event"))
      }
      if (!signal.aborted && timer !== null) timer = setTimeout(look, news.isMore ? 0 : followEvery)
    } catch (error) {
      if (!signal.aborted) {
        stop()
        button.textContent = "Follow live (stopped: no answer)"
      }
    }
  }
  button.addEventListener("click", () => {
    if (timer !== null) return stop()
    button.setAttribute("aria-pressed", "true")
    button.textContent = "Following live"
    timer = 0
    look()
  })
  signal.addEventListener("abort", () => clearTimeout(timer))
}

/** The form of filters; on small screens it is folded. */
function filters(filter, go, page, signal) {
  const input = (field) => {
    const id = `filter-${field.name}`
    const help = field.help && h("span", { class: "help", id: `${id}-help` }, field.help)
    const control = field.options
      ? h("select", { id, name: field.name }, field.options.map(([value, label]) => h("option", { value, selected: (filter[field.name] ?? "") === value }, label)))
      : h("input", {
        id, name: field.name, type: "search", value: filter[field.name], autocomplete: "off", spellcheck: "false",
        list: field.values && `${id}-values`, "aria-describedby": field.help && `${id}-help`,
      })
    if (field.values) control.addEventListener("focus", () => suggest(control, field.values, signal), { once: true })
    return h("div", { class: "field" }, h("label", { for: id }, field.label), control,
      field.values && h("datalist", { id: `${id}-values` }), help)
  }
  const clock = (field) => {
    const id = `filter-${field.name}`
    return h("div", { class: "field" }, h("label", { for: id }, field.label),
      h("input", { id, name: field.name, type: "datetime-local", step: 1, value: localText(filter[field.name]) }))
  }
  const known = Object.keys(filter).filter((name) => name.startsWith("metadata."))
  const column = h("input", { id: "filter-column", name: "column", type: "search", value: known[0]?.slice(9), autocomplete: "off" })
  const value = h("input", { id: "filter-value", name: "value", type: "search", value: known[0] && filter[known[0]], autocomplete: "off" })
  const submit = (event) => {
    event.preventDefault()
    const form = event.currentTarget
    const changes = Object.fromEntries(known.map((name) => [name, ""]))
    for (const { name } of [...fields, ...more]) changes[name] = form.elements[name].value.trim()
    for (const { name } of times) {
      const text = form.elements[name].value
      // A time that was chosen in the histogram is more exact than the form; it stays unless somebody changes it.
      const isSame = text && new Date(text).getTime() === new Date(localText(filter[name])).getTime()
      changes[name] = isSame ? filter[name] : text && new Date(text).toISOString()
    }
    if (column.value) changes[`metadata.${column.value}`] = value.value
    go(changes)
  }
  const isNarrow = matchMedia("(max-width: 820px)").matches
  return h("details", { class: "filters", open: !isNarrow },
    h("summary", {}, "Filters"),
    h("form", { submit, "aria-label": "Filters" },
      fields.map(input),
      times.slice(0, 2).map(clock),
      h("details", { class: "more", open: [...more, ...times.slice(2)].some(({ name }) => filter[name]) || known.length > 0 },
        h("summary", {}, "More"),
        h("div", { class: "field pair" }, h("label", { for: "filter-column" }, "Metadata column"), column, h("label", { for: "filter-value" }, "Its value"), value),
        times.slice(2).map(clock), more.map(input)),
      h("div", { class: "actions" }, h("button", { type: "submit" }, "Search"), h("a", { href: `#/${page}` }, "Clear"))))
}

async function suggest(control, values, signal) {
  try {
    const found = await api.get("search/values", { of: values, limit: 200 }, signal)
    replace(control.list, found.map(({ value, events }) => h("option", { value }, plural(events, "event"))))
  } catch {
    // Suggestions are a help; without them the field takes any text.
  }
}
