// One event: what was shown or changed, whose it is, and its proof.

import * as api from "../ui/api.js"
import { announce, h, replace, setTitle } from "../ui/elements.js"
import { kindOf, personColumns } from "../ui/lines.js"
import { maskedTag, maskedText, maskedWords } from "../ui/masked.js"
import { notes } from "../ui/notes.js"
import { headline, notices, read, verdicts } from "../ui/reading.js"
import { show } from "../ui/sheets.js"
import { unmaskButton } from "../ui/unmask.js"
import { eventLink, personLink, searchLink, timelineLink } from "../ui/links.js"
import { notice, pairs } from "../ui/parts.js"
import { count, short } from "../ui/texts.js"
import { time } from "../ui/times.js"

/** @param {HTMLElement} content @param {string} partition @param {number} sequence @param {AbortSignal} signal */
export async function showEvent(content, partition, sequence, signal) {
  setTitle(`Event ${sequence}`)
  await render(content, await api.event(partition, sequence, signal), null, signal)
}

/**
 * Shows an event; `masked` is what was shown of it before a reviewer asked for more.
 *
 * @param {HTMLElement} content
 * @param {EventAnswer} answer
 * @param {EventAnswer | null} masked
 * @param {AbortSignal} signal
 */
async function render(content, answer, masked, signal) {
  const { partition: { partition }, event: { daybook: { sequence } }, erasure } = answer
  const { found, line, event, understood, context } = await read(answer, partition, sequence)
  if (signal.aborted) return
  const name = event.activity ?? (erasure ? "Erased event" : "Damaged event")
  setTitle(name)
  replace(content, h("div", { class: "event", "data-unmasked": masked !== null },
    h("nav", { class: "steps", "aria-label": "Neighbours in the partition" },
      sequence > 1 && h("a", { href: eventLink(partition, sequence - 1), rel: "prev" }, "← Before"),
      h("span", {}, `Event ${count(sequence)} of ${count(answer.partition.count)}`),
      sequence < answer.partition.count && h("a", { href: eventLink(partition, sequence + 1), rel: "next" }, "After →")),
    h("div", { class: "heading" },
      h("h1", {}, name, " ", h("span", { class: `tag ${kindOf(event.event)}` }, event.event ?? "custom")),
      h("div", { class: "tools" },
        line.daybook.masked && api.isReviewer()
          && unmaskButton(partition, sequence, (whole) => render(content, whole, answer, signal), signal),
        masked && h("button", { type: "button", class: "unmask", click: () => render(content, masked, null, signal) }, "Hide masked values"),
        h("a", { class: "action", href: sessionLink(event, context.person, partition, sequence) }, "Step through this session"), copyLink())),
    h("div", { class: "columns" },
      h("section", { class: "held", "aria-label": "What the event holds" },
        line.daybook.masked && notice(`${maskedWords.hidden}${api.isReviewer() ? "" : " A reviewer may have them shown, with a reason."}`),
        masked && notice(maskedWords.shown),
        answer.problems.length > 0 && unsigned(answer.problems),
        erasure && erasedBy(erasure), notices(event), h("h2", {}, headline(understood)), show(understood, context),
        h("details", { class: "raw" }, h("summary", {}, "Raw JSON, as it was recorded: times in UTC"), h("pre", { tabindex: 0 }, raw(line, event))),
        notes({ partition, sequence }, signal)),
      h("aside", { "aria-label": "Proof and circumstances" }, badge(found), facts(event, line, answer.partition, context.person)))))
}

/**
 * The session around an event: the same person at the same device, half an hour before and after. Others share the account.
 *
 * @param {ShownEvent} event
 * @param {Maybe<string>} person
 * @param {string} partition
 * @param {number} sequence
 */
function sessionLink({ boot, timestamp }, person, partition, sequence) {
  /** @param {number} minutes */
  const around = (minutes) => (timestamp ? new Date(Date.parse(timestamp) + minutes * 60_000).toISOString() : null)
  return timelineLink({ person, boot, since: around(-30), until: around(30), step: `${partition}/${sequence}` })
}

/**
 * Who erased the event, when and why.
 *
 * @param {Erasure} erasure
 */
const erasedBy = ({ number, order }) => notice(
  order.kind === "retention" ? "It expired " : "It was erased ", time(order.begun.at), ` by ${order.begun.by}: “${order.begun.reason}” (`,
  h("a", { href: "#/keeping" }, `erasure ${number}`), ").")

/**
 * What is shown of the partition and was not signed like that.
 *
 * @param {string[]} problems
 */
const unsigned = (problems) => h("p", { class: "notice unsigned" },
  h("span", { class: "badge broken" }, "Does not match"), ` What this page shows of the partition is not what was signed: ${problems.join("; ")}.`)

/**
 * The verdict in words and colour, with each step of the check.
 *
 * @param {Checked} found
 */
function badge(found) {
  const [title, usual] = verdicts[found.verdict]
  const meaning = found.verdict === "masked" && found.place === "held" ? "Content not checked, position held: the device has not closed the partition." : usual
  const signs = { good: "✓", bad: "✗", unknown: "–" }
  const words = { good: "holds", bad: "fails", unknown: "open" }
  announce(`Proof: ${title}`)
  return h("section", { class: `proof ${found.verdict}`, "aria-labelledby": "proof-title" },
    h("h2", { id: "proof-title" }, h("span", { class: `badge ${found.verdict}` }, title)),
    h("p", {}, meaning),
    h("details", { open: found.verdict === "broken" }, h("summary", {}, "Checked in this browser, step by step"),
      h("ol", {}, found.steps.map((step) => h("li", { class: step.state },
        h("span", { class: "sign", role: "img", "aria-label": words[step.state] }, signs[step.state]),
        h("span", {}, step.title, step.detail && h("code", { class: "hash" }, step.detail)))))))
}

/**
 * Whose the event is, when and where it happened, each with the way to what shares it.
 *
 * @param {ShownEvent} event
 * @param {RecordedLine} line
 * @param {PartitionRecord} partition
 * @param {Maybe<string>} person
 */
function facts(event, line, { partition, seal }, person) {
  const { app, user, received } = line.daybook
  return h("section", { class: "facts" }, h("h2", {}, "Circumstances"),
    pairs({}, [
      ["Account", user && h("a", { href: personLink(user), title: "Everything that this account did" }, user)],
      ...event.metadata.map(([key, value]) => /** @type {[string, Child]} */ ([key, metadata(key, value)])),
      ["App", app],
      ["Device’s clock", event.timestamp && time(event.timestamp)],
      ["Scope committed", event.committed && time(event.committed)],
      ["Received", received && time(received)],
      ["Partition", h("a", { href: searchLink({ partition, order: "oldest" }) }, partition)],
      ["Closed by device", seal ? h("span", {}, "key ", deviceLink(seal.publicKey)) : "not yet"],
      ["Run of the device", event.boot && h("a", { href: searchLink({ boot: event.boot, order: "oldest" }) }, short(event.boot, 16))],
      ["In sync", event.sync && h("span", { title: event.sync.history && `History ${event.sync.history}` }, syncText(event.sync))],
      ["Id", event.id && h("code", {}, event.id)],
    ]),
    h("p", {}, h("a", { href: searchLink({ person, until: event.timestamp }) }, "What this person did before this")))
}

/**
 * What a device knew of a shared realm, or which changes a write became.
 *
 * @param {SyncPlace} sync
 */
function syncText({ position, change, changes, file }) {
  const owner = file ? `of file ${file}` : "of a file without a number"
  const known = position === 0 ? "no entry was known" : `entries up to ${position} were known`
  if (!changes) return change === 0 ? known : `${known}, and changes up to ${change} ${owner}`
  return `Became ${changes === 1 ? `change ${change}` : `changes ${change - changes + 1} to ${change}`} ${owner}; ${known}`
}

/**
 * A value of metadata, which leads to the person that it names, or to the events that share it.
 *
 * @param {string} key
 * @param {string} value
 */
function metadata(key, value) {
  if (value === maskedText) return maskedTag("string")
  const isPerson = personColumns.includes(key) && value !== ""
  return h("a", { href: isPerson ? personLink(value) : searchLink({ [`metadata.${key}`]: value, order: "oldest" }) }, value === "" ? "empty text" : value)
}

/** @param {string} key */
const deviceLink = (key) => h("a", { href: searchLink({ device: key, order: "oldest" }), title: `Everything that came from the device ${key}` },
  h("code", {}, short(key, 16)))

/**
 * The event as it was recorded, for those who want to see all of it.
 *
 * @param {RecordedLine} line
 * @param {ShownEvent} event
 */
function raw(line, event) {
  const { data, ...rest } = line
  /** @type {unknown} */
  let payload = event.data ?? data
  try {
    payload = JSON.parse(String(payload))
  } catch {
    // It is text, and shown as such.
  }
  return JSON.stringify({ ...rest, data: payload }, null, 2)
}

function copyLink() {
  const button = h("button", { type: "button", class: "quiet" }, "Copy link")
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      button.textContent = "Copied"
      announce("The link is copied.")
    } catch {
      button.textContent = "Copy it from the address bar"
    }
  })
  return button
}
