// The canonical encoding of an event, as devices write it and hash it.

import { hexOf } from "./merkle.js"

/**
 * Decodes the canonical encoding of an event.
 *
 * @param {Uint8Array} bytes
 * @returns {DecodedEvent}
 */
export function decode(bytes) {
  let position = 0
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  /** @param {number} count */
  const take = (count) => {
    if (position + count > bytes.length) throw new Error("too short")
    const part = bytes.subarray(position, position + count)
    position += count
    return part
  }
  const byte = () => take(1)[0]
  /** @param {boolean} isSigned */
  const fixed = (isSigned) => {
    const at = position
    take(8)
    return isSigned ? view.getBigInt64(at, true) : view.getBigUint64(at, true)
  }
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = byte()
      value += (next & 127) * 2 ** shift
      if (next < 128) return value
      if (shift > 42) throw new Error("too large")
    }
  }
  const string = () => text.decode(take(varint()))
  /** @param {number} count */
  const large = (count) => take(count).reduce((value, next) => value * 256 + next, 0)
  const version = byte()
  const presence = byte()
  if (version < 1 || version > 2 || presence >> 3 !== version - 1) throw new Error("unknown version")
  const marks = byte()
  const id = hexOf(take(12))
  const timestamp = instantText(fixed(true))
  const monotonic = fixed(false)
  const boot = hexOf(take(16))
  const committed = presence & 4 ? instantText(fixed(true)) : null
  /** @type {SyncPlace | null} */
  let sync = null
  if (presence & 8) {
    const history = hexOf(take(16))
    const file = large(4)
    const change = large(8)
    const changes = large(4)
    sync = { position: large(8), change }
    if (file > 0) sync = { ...sync, history, file }
    if (changes > 0) sync = { ...sync, changes }
  }
  const activity = string()
  const event = presence & 1 ? string() : null
  const data = presence & 2 ? string() : null
  /** @type {[string, string][]} */
  const metadata = []
  for (let left = varint(); left > 0; left--) metadata.push([string(), string()])
  if (position !== bytes.length) throw new Error("bytes are left over")
  return {
    id, timestamp, monotonic, boot, committed, activity, event, data, metadata, sync,
    interrupted: Boolean(marks & 1), incomplete: Boolean(marks & 2),
  }
}

/**
 * Writes microseconds since 1970 as ISO 8601; what no calendar of the browser holds stays a number.
 *
 * @param {bigint} micros
 */
function instantText(micros) {
  let millis = micros / 1000n
  let rest = micros % 1000n
  if (rest < 0n) {
    rest += 1000n
    millis -= 1n
  }
  const date = new Date(Number(millis))
  if (Number.isNaN(date.getTime())) return `${micros} µs since 1970`
  return date.toISOString().replace("Z", `${String(rest).padStart(3, "0")}Z`)
}
