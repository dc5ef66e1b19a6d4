// Reads an event with its proof, and shows it in short on a page that has several.

import { h } from "./elements.js"
import { eventLink } from "./links.js"
import { notice } from "./parts.js"
import { plural } from "./texts.js"
import { recordedName } from "./lines.js"
import { understand } from "./payload.js"
import { check, checkErased } from "./proof.js"
import { show } from "./sheets.js"

/**
 * What the check of a proof can say.
 *
 * @type {Record<Checked["verdict"], [string, string]>}
 */
export const verdicts = {
  proven: ["Proven", "Signed by the device, and unchanged since then."],
  held: ["Held, not signed yet", "Unchanged since it arrived. The device signs when it closes the partition."],
  masked: ["Masked", "Content not checked, position proven."],
  broken: ["Does not match", "This event or its proof was changed."],
  erased: ["Erased, its hash is in the tree", "What it said is gone for ever; that it was there, and what else was, is proven as before."],
  unchecked: ["Not checked", "This browser cannot check it here."],
}

/** The names of a line that are not metadata. */
const ownNames = ["_id", "_partition", "activity", "event", "data", "timestamp", "daybook"]

/**
 * Checks the proof; what is shown was decoded from the bytes that were hashed. Without them there is only the server's word.
 *
 * @param {EventAnswer} answer
 * @param {string} partition
 * @param {number} sequence
 */
export async function read(answer, partition, sequence) {
  const found = answer.erasure
    ? await checkErased(answer.partition, answer.leafHash, answer.inclusion)
    : await check(answer.proof, answer.leafHash, answer.position)
  const line = answer.event
  /** @type {ShownEvent} */
  const event = found.event ?? {
    activity: line.activity, event: line.event, data: line.data, timestamp: line.timestamp, committed: null, boot: line.daybook.boot,
    sync: line.daybook.sync,
    id: line._id, interrupted: line.daybook.interrupted, incomplete: line.daybook.incomplete,
    metadata: Object.entries(line).filter(([name]) => !ownNames.includes(name)).map(([name, value]) => [name, String(value)]),
  }
  const named = new Map(event.metadata)
  const person = recordedName((name) => named.get(name)) ?? line.daybook.user
  /** @type {PayloadContext} */
  const context = { links: new Set(answer.links), at: `${partition}/${sequence}`, person }
  return { found, line, event, context, understood: understand(event.event, event.data) }
}

/**
 * One event in short: what was shown or changed, and its badge.
 *
 * @param {EventAnswer} answer
 * @param {string} partition
 * @param {number} sequence
 */
export async function eventSummary(answer, partition, sequence) {
  const { found, event, understood, context } = await read(answer, partition, sequence)
  const [title] = verdicts[found.verdict]
  return h("div", { class: "held" },
    h("header", {}, h("h2", {}, headline(understood)), h("span", { class: `badge ${found.verdict}` }, title),
      h("a", { href: eventLink(partition, sequence) }, "Open the event")),
    notices(event), show(understood, context))
}

/**
 * What a reader has to know of an event before its content.
 *
 * @param {ShownEvent} event
 */
export const notices = (event) => [
  event.interrupted && notice("The scope did not end by a commit but with its process. What was recorded until then is here."),
  event.incomplete && notice("The device could not make the whole payload; it says why below."),
]

/**
 * What an event holds, in a few words.
 *
 * @param {Understood} understood
 */
export function headline(understood) {
  switch (understood.kind) {
    case "read": return `Shown: ${plural(understood.objects.length, understood.type, `${understood.type} objects`)}`
    case "write": return `Written: ${plural(understood.changes.length, "change")}`
    case "none": return "No content"
    default: return "Content"
  }
}
