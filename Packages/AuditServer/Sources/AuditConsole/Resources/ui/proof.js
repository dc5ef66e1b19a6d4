// Recomputes the proof of an event in this browser, from nothing but what the proof itself holds.

const bytesOf = (hex) => {
  if (typeof hex !== "string" || hex.length % 2 || /[^0-9a-f]/i.test(hex)) throw new Error("not hexadecimal")
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

function join(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let position = 0
  for (const part of parts) {
    all.set(part, position)
    position += part.length
  }
  return all
}

const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)))

/** The hash of a leaf, RFC 9162: a zero byte, then the event. */
const leafHash = (event) => sha256(Uint8Array.of(0), event)

/** Walks from a leaf to the root, RFC 9162, section 2.1.3.2; null when the path has the wrong length. */
async function rootOf(leaf, index, total, path) {
  let position = BigInt(index)
  let last = BigInt(total) - 1n
  if (position > last) return null
  let hash = leaf
  for (const sibling of path) {
    if (last === 0n) return null
    if (position & 1n || position === last) {
      hash = await sha256(Uint8Array.of(1), sibling, hash)
      while (!(position & 1n) && position !== 0n) {
        position >>= 1n
        last >>= 1n
      }
    } else {
      hash = await sha256(Uint8Array.of(1), hash, sibling)
    }
    position >>= 1n
    last >>= 1n
  }
  return last === 0n ? hash : null
}

/**
 * The bytes that a seal's signature is over, PROTOCOL.md, "Seals".
 *
 * A seal that names no app is one of an earlier version, which had fewer fields.
 */
export function sealBytes(seal) {
  const text = new TextEncoder()
  const number = (value, count) => {
    const bytes = new Uint8Array(count)
    let rest = BigInt.asUintN(count * 8, BigInt(value))
    for (let i = 0; i < count; i++) {
      bytes[i] = Number(rest & 255n)
      rest >>= 8n
    }
    return bytes
  }
  const counted = (bytes) => join(number(bytes.length, 4), bytes)
  const maybe = (value, encode) => (value === null || value === undefined ? Uint8Array.of(0) : join(Uint8Array.of(1), encode(value)))
  const instant = (value) => maybe(value, (micros) => number(micros, 8))
  const losses = seal.losses.map((loss) =>
    join(
      counted(text.encode(loss.reason)),
      number(loss.count, 8),
      number(loss.noticed, 8),
      instant(loss.first),
      instant(loss.last),
      maybe(loss.partition, (value) => counted(text.encode(value))),
      maybe(loss.sequences, ([first, last]) => join(number(first, 8), number(last, 8))),
      maybe(loss.root, bytesOf),
    ),
  )
  const isOwned = typeof seal.app === "string"
  const owner = () => [
    text.encode("DAYSEAL2"),
    counted(text.encode(seal.app)),
    counted(text.encode(seal.user)),
  ]
  return join(
    ...(isOwned ? owner() : [text.encode("DAYSEAL1")]),
    counted(text.encode(seal.partition)),
    ...(isOwned ? [maybe(seal.number, (value) => number(value, 8))] : []),
    number(seal.count, 8),
    bytesOf(seal.root),
    instant(seal.first),
    instant(seal.last),
    maybe(seal.previousRoot, bytesOf),
    ...(isOwned ? [number(seal.ledgerPart ?? 0, 4), Uint8Array.of(seal.isLedgerContinued ? 1 : 0)] : []),
    number(seal.losses.length, 4),
    ...losses,
    counted(bytesOf(seal.publicKey)),
  )
}

/** Checks an Ed25519 signature; null when this browser cannot. */
export async function isSigned(seal) {
  let key
  try {
    key = await crypto.subtle.importKey("raw", bytesOf(seal.publicKey), { name: "Ed25519" }, false, ["verify"])
  } catch (error) {
    if (error.name === "NotSupportedError") return null
    return false
  }
  return crypto.subtle.verify({ name: "Ed25519" }, key, bytesOf(seal.signature), sealBytes(seal))
}

/**
 * Checks a proof step by step.
 *
 * Returns `{verdict, steps, event}`: the verdict is `proven` (signed by the device), `held` (in the server's tree, whose
 * partition is open), `masked` (its place is proven, its content is not here), `broken` or `unchecked`; the event is decoded
 * from the very bytes that were hashed.
 */
export async function check(proof, storedLeaf, position = null) {
  if (!globalThis.crypto?.subtle) {
    const note = "This browser checks proofs over HTTPS or on this machine only."
    return { verdict: "unchecked", steps: [{ state: "unknown", title: note }], event: null }
  }
  if (!proof && position) return checkPosition(position, storedLeaf)
  if (!proof) {
    const title = "The stored columns no longer make up an event. Somebody changed them after it arrived."
    return { verdict: "broken", steps: [{ state: "bad", title }], event: null }
  }
  const steps = []
  const add = (state, title, detail) => steps.push({ state, title, detail })
  let event = null
  try {
    const bytes = bytesOf(proof.event)
    event = decode(bytes)
    const leaf = await leafHash(bytes)
    const isAsReceived = storedLeaf === null || hexOf(leaf) === storedLeaf
    if (isAsReceived) add("good", "The event has the hash that was stored when it arrived", hexOf(leaf))
    else add("bad", "The event is not what arrived: its hash is another one", `${hexOf(leaf)} instead of ${storedLeaf}`)

    const place = await checkPlace(leaf, proof, add)
    return { verdict: isAsReceived ? place : "broken", steps, event }
  } catch {
    add("bad", "The proof cannot be read", null)
    return { verdict: "broken", steps, event }
  }
}

/** Checks that the hash of an erased event is in the tree, as `check` does for an event; the verdict is `erased` then. */
export async function checkErased(partition, leaf, inclusion) {
  if (!globalThis.crypto?.subtle) return check(null, leaf)
  const steps = []
  const add = (state, title, detail) => steps.push({ state, title, detail })
  let isIncluded = false
  let signed = null
  try {
    const root = await rootOf(bytesOf(leaf), inclusion.index, inclusion.count, inclusion.path.map(bytesOf))
    isIncluded = root !== null && hexOf(root) === partition.root
    const { seal } = partition
    if (seal) signed = seal.root === partition.root && seal.count === inclusion.count && seal.partition === partition.partition && (await isSigned(seal))
  } catch {
    // What cannot be read leads nowhere.
  }
  if (isIncluded) add("good", `The hash of event ${inclusion.index + 1} of ${inclusion.count} leads to the root`, partition.root)
  else add("bad", "The hash of the event does not lead to the root of the partition", leaf)
  if (!partition.seal) add("unknown", "The device has not closed this partition yet; the root is the server's word", null)
  else if (signed) add("good", "The device closed the partition with this root, and the signature is its (Ed25519)", partition.seal.publicKey)
  else if (signed === null) add("unknown", "This browser cannot check Ed25519 signatures", partition.seal.publicKey)
  else add("bad", "The device closed the partition with another root, or did not sign it", partition.seal.publicKey)
  return { verdict: isIncluded && signed !== false ? "erased" : "broken", steps, event: null }
}

/** Walks from a leaf to the root and looks at the device's signature; returns `proven`, `held` or `broken`. */
async function checkPlace(leaf, proof, add) {
  const { index, count, path } = proof.inclusion
  const root = index === proof.sequence - 1 ? await rootOf(leaf, index, count, path.map(bytesOf)) : null
  const isIncluded = root !== null && hexOf(root) === proof.root
  if (isIncluded) add("good", `It is event ${proof.sequence} of ${count}: ${path.length} hashes lead to the root`, proof.root)
  else add("bad", "The hashes beside it do not lead to the root of the partition", root && `${hexOf(root)} instead of ${proof.root}`)

  const seal = proof.seal
  if (!seal) {
    add("unknown", "The device has not closed this partition yet; the root is the server's word", null)
    return isIncluded ? "held" : "broken"
  }
  const isSameTree = seal.root === proof.root && seal.count === count && seal.partition === proof.partition
  if (isSameTree) add("good", "The device closed the partition with this very root and number of events", null)
  else add("bad", "The device closed the partition with another root or number of events", seal.root)
  const signed = await isSigned(seal)
  if (signed) add("good", "The signature is the device's (Ed25519)", seal.publicKey)
  else if (signed === null) add("unknown", "This browser cannot check Ed25519 signatures", seal.publicKey)
  else add("bad", "The signature does not belong to what was signed", seal.publicKey)
  if (!isIncluded || !isSameTree || signed === false) return "broken"
  return signed ? "proven" : "held"
}

/** Checks the place of an event whose values are masked: the hash is the server's word, the way to the root is computed. */
async function checkPosition(position, storedLeaf) {
  const steps = []
  const add = (state, title, detail) => steps.push({ state, title, detail })
  try {
    const isAsReceived = storedLeaf === null || position.leafHash === storedLeaf
    if (isAsReceived) add("unknown", "Values are masked, so that the hash of the event is the server's word", position.leafHash)
    else add("bad", "The server says that the event is not what arrived", `${position.leafHash} instead of ${storedLeaf}`)
    const place = await checkPlace(bytesOf(position.leafHash), position, add)
    return { verdict: isAsReceived && place !== "broken" ? "masked" : "broken", place, steps, event: null }
  } catch {
    add("bad", "The proof cannot be read", null)
    return { verdict: "broken", steps, event: null }
  }
}

/** Decodes the canonical encoding of an event. */
export function decode(bytes) {
  let position = 0
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const take = (count) => {
    if (position + count > bytes.length) throw new Error("too short")
    const part = bytes.subarray(position, position + count)
    position += count
    return part
  }
  const byte = () => take(1)[0]
  const fixed = (signed) => {
    const at = position
    take(8)
    return signed ? view.getBigInt64(at, true) : view.getBigUint64(at, true)
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
  if (byte() !== 1) throw new Error("unknown version")
  const presence = byte()
  const marks = byte()
  const id = hexOf(take(12))
  const timestamp = instantText(fixed(true))
  const monotonic = fixed(false)
  const boot = hexOf(take(16))
  const committed = presence & 4 ? instantText(fixed(true)) : null
  const activity = string()
  const event = presence & 1 ? string() : null
  const data = presence & 2 ? string() : null
  const metadata = []
  for (let left = varint(); left > 0; left--) metadata.push([string(), string()])
  if (position !== bytes.length) throw new Error("bytes are left over")
  return {
    id, timestamp, monotonic, boot, committed, activity, event, data, metadata,
    interrupted: Boolean(marks & 1), incomplete: Boolean(marks & 2),
  }
}

/** Writes microseconds since 1970 as ISO 8601; what no calendar of the browser holds stays a number. */
export function instantText(micros) {
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
