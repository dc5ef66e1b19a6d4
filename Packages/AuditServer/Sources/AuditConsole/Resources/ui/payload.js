// Understands what an event holds: what was read, and what a write changed.

/**
 * Understands a payload.
 *
 * @param {Maybe<string>} event
 * @param {Maybe<string>} data
 * @returns {Understood}
 */
export function understand(event, data) {
  if (data === null || data === undefined) return { kind: "none" }
  let value
  try {
    value = JSON.parse(data)
  } catch {
    return { kind: "text", text: data }
  }
  if (event === "read" && typeof value?.type === "string" && Array.isArray(value.value)) {
    return { kind: "read", type: value.type, objects: value.value, terms: value.where ?? null }
  }
  if (event === "write" && value && typeof value === "object" && !Array.isArray(value)) {
    return { kind: "write", changes: Object.entries(value).flatMap(([type, lists]) => changesOf(type, lists)) }
  }
  return { kind: "json", value }
}

/** @param {string} type @param {any} lists @returns {PayloadChange[]} */
const changesOf = (type, lists) => [
  ...(lists?.insertions ?? []).map((/** @type {any} */ now) => ({ type, action: "inserted", before: null, now })),
  ...(lists?.modifications ?? []).map((/** @type {any} */ change) => ({ type, action: "modified", before: change.oldValue, now: change.newValue })),
  ...(lists?.deletions ?? []).map((/** @type {any} */ before) => ({ type, action: "deleted", before, now: null })),
]

/**
 * The key of an object of a payload.
 *
 * @param {any} object
 */
export const keyOf = (object) => {
  const key = object?._id ?? object?.id
  return typeof key === "string" || typeof key === "number" ? String(key) : null
}

/**
 * Leaves one object of a payload, if it is there by itself; one inside others stays where it is.
 *
 * @param {Understood} understood
 * @param {string} type
 * @param {string} key
 * @returns {Understood}
 */
export function only(understood, type, key) {
  /** @param {any} object */
  const isIt = (object) => keyOf(object) === key
  if (understood.kind === "read" && understood.type === type && understood.objects.some(isIt)) {
    return { ...understood, objects: understood.objects.filter(isIt) }
  }
  if (understood.kind !== "write") return understood
  const changes = understood.changes.filter((change) => change.type === type && isIt(change.before ?? change.now))
  return changes.length > 0 ? { ...understood, changes } : understood
}

/**
 * Whether a payload has an object with a key whose property has this value, given as JSON text.
 *
 * @param {string} data
 * @param {string} key
 * @param {string} name
 * @param {string} json
 */
export function holds(data, key, name, json) {
  /** @type {string} */
  let wanted
  /** @param {any} item @param {number} depth @returns {boolean} */
  const isThere = (item, depth) => {
    if (item === null || typeof item !== "object" || depth > 128) return false
    // Of a change, the old values name the object, and the new ones say only what is new.
    if (keyOf(item) === key || keyOf(item.oldValue) === key) {
      for (const place of [item, item.oldValue, item.newValue]) {
        if (place && typeof place === "object" && name in place && JSON.stringify(place[name]) === wanted) return true
      }
    }
    return Object.values(item).some((inner) => isThere(inner, depth + 1))
  }
  try {
    wanted = JSON.stringify(JSON.parse(json))
    return isThere(JSON.parse(data), 0)
  } catch {
    return false
  }
}
