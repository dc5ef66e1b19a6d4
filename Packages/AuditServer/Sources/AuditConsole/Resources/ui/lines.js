// Events as lists show them: a row of a table, the name of who did it, and the link to the event of the trail that proves something.

import { h } from "./elements.js"
import { eventLink, objectLink, pageLink, personLink } from "./links.js"
import { tableHead } from "./parts.js"
import { count, short } from "./texts.js"
import { time } from "./times.js"
import { inZone, spoken } from "./words.js"
import { changeList } from "./changes.js"
import { maskedText } from "./masked.js"
import { described, person } from "./people.js"

/** The columns of metadata that apps name people in. */
export const personColumns = ["userId", "user", "username", "userName", "nurse", "name", "email"]

/**
 * The name that the app recorded for a person, out of the metadata of an event.
 *
 * @param {(column: string) => Maybe<string>} valueOf
 */
export const recordedName = (valueOf) => personColumns.map(valueOf).find((value) => value && value !== maskedText)

/**
 * The person's name as far as the app recorded one, else the account. What is shown is the name of a directory, where one has it.
 *
 * @param {EventLine} line
 */
export function personOf(line, isShown = false) {
  const recorded = recordedName((column) => line.metadata[column])
  if (!isShown) return recorded ?? line.user ?? ""
  return person(recorded ?? line.user)?.name ?? recorded ?? short(line.user ?? "unknown", 10)
}

/**
 * Who that is in full, and the account.
 *
 * @param {EventLine} line
 */
function whoTitle(line) {
  const account = `Account ${line.user ?? "unknown"}`
  return person(personOf(line)) ? `${described(personOf(line))}, recorded as ${personOf(line)}. ${account}` : account
}

/**
 * What an event is called whose activity nobody can read.
 *
 * @param {EventLine} line
 */
export const unreadable = (line) => (line.outcome === "erased" ? "Erased event" : "Damaged event")

/**
 * The kind of an event, which decides its colour: the types of apps are all one.
 *
 * @param {Maybe<string>} type
 */
export const kindOf = (type) => (type && ["read", "write", "audit"].includes(type) ? type : "custom")

/**
 * Leads to the event of the trail that proves something.
 *
 * @param {EventPlace} place
 */
export const proofLink = ({ partition, sequence }) => h("a", { href: eventLink(partition, sequence) }, "proof")

/**
 * The table that rows of results lie in.
 *
 * @param {HTMLElement} rows
 */
export const resultTable = (rows) => h("table", { class: "results" }, tableHead("Time", "Person", "Activity", "What", "Proof"), rows)

/**
 * A row of the results.
 *
 * @param {EventLine} line
 */
export function row(line) {
  const link = eventLink(line.partition, line.sequence)
  const kind = kindOf(line.event)
  return h("tr", { class: `result ${kind}` },
    h("td", { class: "when" }, h("a", { href: link }, line.timestamp ? time(line.timestamp) : h("span", { class: "none" }, "unreadable"))),
    h("td", { class: "who" }, line.event === "audit" ? auditor(line) : h("a", { href: personLink(personOf(line)), title: whoTitle(line) }, personOf(line, true))),
    h("td", { class: "activity" }, line.activity ?? unreadable(line), " ", h("span", { class: `tag ${kind}` }, line.event ?? "custom")),
    h("td", { class: "what" }, summary(line)),
    h("td", { class: "flags" }, flags(line)))
}

/** @param {EventLine} line @returns {Child} */
function summary(line) {
  if (line.event === "audit") return h("span", { class: "excerpt" }, asked(line.excerpt ?? ""))
  if (line.objectCount === 0) return line.excerpt ? h("span", { class: "excerpt" }, inZone(line.excerpt)) : h("span", { class: "none" }, "—")
  const named = line.objects.filter((object) => object.class).slice(0, 3)
  const rest = line.objectCount - named.length
  return [
    named.map((object) => h("a", { class: `object ${object.action}`, href: objectLink(object.class, object.key), title: `${object.class} ${object.key}, ${object.action}` },
      object.class, " ", object.label ? h("span", { class: "name" }, short(object.label, 32)) : h("span", { class: "key" }, short(object.key, 8)))),
    rest > 0 && h("span", { class: "none" }, `and ${count(rest)} more`),
    changeList(line),
  ]
}

/**
 * What an auditor asked for, as far as it is shown in a list.
 *
 * @param {string} excerpt
 */
function asked(excerpt) {
  try {
    const { about, from, reason } = JSON.parse(excerpt)
    return `${about ? subjectOf(about) : "everything"}${reason ? ` · because: ${reason}` : ""} · from ${from}`
  } catch {
    // A long record is cut in a list; its start says enough.
    return /^\{"about":"((?:[^"\\]|\\.)*)/.exec(excerpt)?.[1] ?? excerpt
  }
}

/**
 * What was asked for, in words; a query says it as an address does.
 *
 * @param {string} about
 */
const subjectOf = (about) => (/^[\w.%]+=\S*$/.test(about) ? spoken(about) : inZone(about))

/**
 * Who did something: whom the token was issued to. Earlier versions wrote only the role.
 *
 * @param {EventLine} line
 * @returns {Child}
 */
function auditor(line) {
  const role = /"role":"(\w+)"/.exec(line.excerpt ?? "")?.[1]
  const { name } = line.metadata
  if (!name) return role ? `${role === "reviewer" ? "a" : "an"} ${role}` : "an auditor"
  return [h("a", { href: pageLink("trail", { person: name }) }, name), role && h("span", { class: "none" }, ` ${role}`)]
}

/** @param {EventLine} line */
function flags(line) {
  if (line.changed) return h("span", { class: "badge broken" }, "Changed")
  if (line.outcome === "nothingFound") return h("span", { class: "none" }, "nothing found")
  if (line.outcome !== "complete") return h("span", { class: "tag warning" }, line.outcome)
  return h("span", { class: "none" }, line.masked ? "partly masked" : "as received")
}
