// Groups the events about one object by visits: what one person did with it without a pause of half an hour.

import { personOf } from "../ui/lines.js"
import { maskedText } from "../ui/masked.js"

const pause = 30 * 60_000
/** The columns of metadata that apps say the reason of an access in. */
const reasonColumns = ["reason", "purpose", "justification", "accessReason"]
/** More values of one write are not in a list of results. */
const shownChanges = 6

/**
 * The visits in the order in which they began; what has no time is in none.
 *
 * @param {EventLine[]} lines The oldest first.
 * @param {string} type
 * @param {string} key
 * @returns {Visit[]}
 */
export function visits(lines, type, key) {
  /** @type {Map<string, Visit>} */
  const open = new Map()
  /** @type {Visit[]} */
  const all = []
  for (const line of lines) {
    const at = Date.parse(line.timestamp ?? "")
    if (Number.isNaN(at)) continue
    const person = personOf(line)
    let visit = open.get(person)
    if (!visit || at - visit.until > pause) {
      visit = { person, from: at, until: at, seen: 0, created: 0, deleted: 0, changed: 0, fields: [], hasMoreFields: false, activities: [], reasons: [], lines: [] }
      open.set(person, visit)
      all.push(visit)
    }
    visit.until = at
    visit.lines.push(line)
    note(visit, line, type, key)
  }
  return all
}

/** @param {Visit} visit @param {EventLine} line @param {string} type @param {string} key */
function note(visit, line, type, key) {
  if (line.event === "read") visit.seen += 1
  else {
    const actions = line.objects.filter((object) => object.class === type && object.key === key).map(({ action }) => action)
    if (actions.includes("inserted")) visit.created += 1
    if (actions.includes("deleted")) visit.deleted += 1
    // Of very many objects a list names the first; whoever wrote one of the others changed it.
    if (actions.includes("modified") || actions.length === 0) visit.changed += 1
    const changes = (line.changes ?? []).filter((change) => change.class === type && change.key === key)
    if (actions.includes("modified")) for (const { name } of changes) add(visit.fields, name)
    if ((line.changes?.length ?? 0) >= shownChanges) visit.hasMoreFields = true
  }
  if (line.activity) add(visit.activities, line.activity)
  for (const column of reasonColumns) {
    const reason = line.metadata[column]
    if (reason && reason !== maskedText) add(visit.reasons, reason)
  }
}

/** @param {string[]} list @param {string} text */
function add(list, text) {
  if (!list.includes(text)) list.push(text)
}
