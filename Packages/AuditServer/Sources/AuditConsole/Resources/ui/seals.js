// Seals: what a device signed when it closed a partition, checked in this browser.

import { bytesOf, join } from "./merkle.js"

/**
 * The bytes that a seal's signature is over, PROTOCOL.md, "Seals".
 *
 * A seal that names no app is one of an earlier version, which had fewer fields.
 *
 * @param {Seal} seal
 */
export function sealBytes(seal) {
  const text = new TextEncoder()
  /** @param {number | bigint} value @param {number} count */
  const number = (value, count) => {
    const bytes = new Uint8Array(count)
    let rest = BigInt.asUintN(count * 8, BigInt(value))
    for (let i = 0; i < count; i++) {
      bytes[i] = Number(rest & 255n)
      rest >>= 8n
    }
    return bytes
  }
  /** @param {Uint8Array} bytes */
  const counted = (bytes) => join(number(bytes.length, 4), bytes)
  /** @template Value @param {Maybe<Value>} value @param {(value: Value) => Uint8Array} encode */
  const maybe = (value, encode) => (value === null || value === undefined ? Uint8Array.of(0) : join(Uint8Array.of(1), encode(value)))
  /** @param {Maybe<number>} value */
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
  return join(
    ...(isOwned
      ? [text.encode("DAYSEAL2"), counted(text.encode(seal.app ?? "")), counted(text.encode(seal.user ?? ""))]
      : [text.encode("DAYSEAL1")]),
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

/**
 * Checks an Ed25519 signature; null when this browser cannot.
 *
 * @param {Seal} seal
 */
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
 * Whether a device closed a partition with this very tree.
 *
 * @param {Seal} seal
 * @param {string} partition
 * @param {string} root
 * @param {number} count
 */
export const isOfTree = (seal, partition, root, count) => seal.root === root && seal.count === count && seal.partition === partition

/**
 * Whether a partition is as its device closed and signed it; null when this browser cannot check that, or it is open.
 *
 * @param {PartitionRecord} record
 */
export async function isAsSealed({ seal, partition, root, count }) {
  if (!seal) return null
  return isOfTree(seal, partition, root, count) && isSigned(seal)
}
