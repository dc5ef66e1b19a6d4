// One event: what was shown or changed, whose it is, and its proof.

import * as api from "../ui/api.js"
import * as proofs from "../ui/proof.js"
import { notes } from "../ui/notes.js"
import { show, understand } from "../ui/payload.js"
import { eventLink, personLink, searchLink, timelineLink } from "../ui/links.js"
import { personColumns } from "../search/search.js"
import { announce, count, h, plural, replace, short, time } from "../ui/elements.js"
import { maskedTag, maskedText, unmaskButton } from "../ui/unmask.js"

/** What the check of a proof can say. */
export const verdicts = {
  proven: ["Proven", "Signed by the device, and unchanged since then."],
  held: ["Held, not signed yet", "Unchanged since it arrived. The device signs when it closes the partition."],
  masked: ["Masked", "Content not checked, position proven."],
  broken: ["Does not match", "This event or its proof was changed."],
  erased: ["Erased, its hash is in the tree", "What it said is gone for ever; that it was there, and what else was, is proven as before."],
  unchecked: ["Not checked", "This browser cannot check it here."],
}

export async function showEvent(content, partition, sequence, signal) {
  document.title = `Event ${sequence} · Daybook`
  await render(content, await api.event(partition, sequence, signal), null, signal)
}

/** Shows an event; `masked` is what was shown of it before a reviewer asked for more. */
async function render(content, answer, masked, signal) {
  const { partition: { partition }, event: { daybook: { sequence } } } = answer
  const { found, line, event, understood, context } = await read(answer, partition, sequence)
  if (signal.aborted) return
  const { erasure } = answer
  const name = event.activity ?? (erasure ? "Erased event" : "Damaged event")
  document.title = `${name} · Daybook`
  replace(content, h("div", { class: "event", "data-unmasked": masked !== null },
    h("nav", { class: "steps", "aria-label": "Neighbours in the partition" },
      sequence > 1 && h("a", { href: eventLink(partition, sequence - 1), rel: "prev" }, "← Before"),
      h("span", {}, `Event ${count(sequence)} of ${count(answer.partition.count)}`),
      sequence < answer.partition.count && h("a", { href: eventLink(partition, sequence + 1), rel: "next" }, "After →")),
    h("div", { class: "heading" },
      h("h1", {}, name, " ", h("span", { class: `tag ${["read", "write", "audit"].includes(event.event) ? event.event : "custom"}` }, event.event ?? "custom")),
      h("div", { class: "tools" },
        line.daybook.masked && api.isReviewer()
          && unmaskButton(partition, sequence, (whole) => render(content, whole, answer, signal), signal),
        masked && h("button", { type: "button", class: "unmask", click: () => render(content, masked, null, signal) }, "Hide masked values"),
        h("a", { class: "action", href: sessionLink(event, context.person, partition, sequence) }, "Step through this session"), copyLink())),
    h("div", { class: "columns" },
      h("section", { class: "held", "aria-label": "What the event holds" },
        line.daybook.masked && notice(`Values that the app’s rules mask are not shown.${api.isReviewer() ? "" : " A reviewer may have them shown, with a reason."}`),
        masked && notice("Masked values are shown. That you looked, and why, is recorded."),
        answer.problems.length > 0 && unsigned(answer.problems),
        erasure && erasedBy(erasure), notices(event), h("h2", {}, headline(understood)), show(understood, context),
        h("details", { class: "raw" }, h("summary", {}, "Raw JSON, as it was recorded: times in UTC"), h("pre", { tabindex: 0 }, raw(line, event))),
        notes({ partition, sequence }, signal)),
      h("aside", { "aria-label": "Proof and circumstances" }, badge(found), facts(event, line, answer.partition, context.person)))))
}

/** Checks the proof; what is shown was decoded from the bytes that were hashed. Without them there is only the server's word. */
async function read(answer, partition, sequence) {
  const found = answer.erasure
    ? await proofs.checkErased(answer.partition, answer.leafHash, answer.inclusion)
    : await proofs.check(answer.proof, answer.leafHash, answer.position)
  const line = answer.event
  const event = found.event ?? {
    activity: line.activity, event: line.event, data: line.data, timestamp: line.timestamp, committed: null, boot: line.daybook.boot,
    id: line._id, interrupted: line.daybook.interrupted, incomplete: line.daybook.incomplete,
    metadata: Object.entries(line).filter(([name]) => !["_id", "_partition", "activity", "event", "data", "timestamp", "daybook"].includes(name)),
  }
  const named = new Map(event.metadata)
  const person = personColumns.map((name) => named.get(name)).find((value) => value && value !== maskedText) ?? line.daybook.user
  const context = { links: new Set(answer.links), at: `${partition}/${sequence}`, person }
  return { found, line, event, context, understood: understand(event.event, event.data) }
}

/** One event in short, for a page that shows several: what was shown or changed, and its badge. */
export async function eventSummary(answer, partition, sequence) {
  const { found, event, understood, context } = await read(answer, partition, sequence)
  const [title] = verdicts[found.verdict]
  return h("div", { class: "held" },
    h("header", {}, h("h2", {}, headline(understood)), h("span", { class: `badge ${found.verdict}` }, title),
      h("a", { href: eventLink(partition, sequence) }, "Open the event")),
    notices(event), show(understood, context))
}

const notices = (event) => [
  event.interrupted && notice("The scope did not end by a commit but with its process. What was recorded until then is here."),
  event.incomplete && notice("The device could not make the whole payload; it says why below."),
]

/** The session around an event: the same person at the same device, half an hour before and after. Others share the account. */
function sessionLink(event, person, partition, sequence) {
  const around = (minutes) => (event.timestamp ? new Date(Date.parse(event.timestamp) + minutes * 60_000).toISOString() : null)
  return timelineLink({ person, boot: event.boot, since: around(-30), until: around(30), step: `${partition}/${sequence}` })
}

function headline(understood) {
  switch (understood.kind) {
    case "read": return `Shown: ${plural(understood.objects.length, understood.type, `${understood.type} objects`)}`
    case "write": return `Written: ${plural(understood.changes.length, "change")}`
    case "none": return "No content"
    default: return "Content"
  }
}

/** Who erased the event, when and why. */
const erasedBy = ({ number, order }) => h("p", { class: "notice" },
  order.kind === "retention" ? "It expired " : "It was erased ", time(order.begun.at), ` by ${order.begun.by}: “${order.begun.reason}” (`,
  h("a", { href: "#/keeping" }, `erasure ${number}`), ").")

/** What is shown of the partition and was not signed like that. */
const unsigned = (problems) => h("p", { class: "notice unsigned" },
  h("span", { class: "badge broken" }, "Does not match"), ` What this page shows of the partition is not what was signed: ${problems.join("; ")}.`)

const notice = (text) => h("p", { class: "notice" }, text)

/** The verdict in words and colour, with each step of the check. */
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

function facts(event, line, partition, person) {
  const rows = [
    ["Account", line.daybook.user && h("a", { href: personLink(line.daybook.user), title: "Everything that this account did" }, line.daybook.user)],
    ...event.metadata.map(([key, value]) => [key, value === maskedText ? maskedTag("string") : h("a", { href: personColumns.includes(key) && value !== "" ? personLink(value) : searchLink({ [`metadata.${key}`]: value, order: "oldest" }) }, value === "" ? "empty text" : value)]),
    ["App", line.daybook.app],
    ["Device’s clock", event.timestamp && time(event.timestamp)],
    ["Scope committed", event.committed && time(event.committed)],
    ["Received", line.daybook.received && time(line.daybook.received)],
    ["Partition", h("a", { href: searchLink({ partition: partition.partition, order: "oldest" }) }, partition.partition)],
    ["Closed by device", partition.seal ? h("span", {}, "key ", h("a", { href: searchLink({ device: partition.seal.publicKey, order: "oldest" }), title: `Everything that came from the device ${partition.seal.publicKey}` }, h("code", {}, short(partition.seal.publicKey, 16)))) : "not yet"],
    ["Run of the device", event.boot && h("a", { href: searchLink({ boot: event.boot, order: "oldest" }) }, short(event.boot, 16))],
    ["Id", event.id && h("code", {}, event.id)],
  ]
  return h("section", { class: "facts" }, h("h2", {}, "Circumstances"),
    h("dl", {}, rows.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("p", {}, h("a", { href: searchLink({ person, until: event.timestamp }) }, "What this person did before this")))
}

function raw(line, event) {
  const { data, ...rest } = line
  let payload = event.data ?? data
  try {
    payload = JSON.parse(payload)
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
