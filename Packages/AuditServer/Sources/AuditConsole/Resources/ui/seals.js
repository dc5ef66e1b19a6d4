// Seals: what a device signed when it closed a partition, checked in this browser.

import { bytesOf, hexOf, join } from "./merkle.js"

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

const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const constant = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/**
 * The point of P-256 that 33 bytes stand for, as the 65 that every browser reads; null when they are none.
 *
 * @param {Uint8Array} bytes
 */
export function pointOf(bytes) {
  const x = BigInt("0x" + hexOf(bytes.slice(1)))
  if (bytes.length !== 33 || (bytes[0] !== 2 && bytes[0] !== 3) || x >= prime) return null
  const square = (((x * x - 3n) * x + constant) % prime + prime) % prime
  let root = 1n
  for (let power = (prime + 1n) / 4n, factor = square; power > 0n; power >>= 1n) {
    if (power & 1n) root = (root * factor) % prime
    factor = (factor * factor) % prime
  }
  if ((root * root) % prime !== square) return null
  const y = (root & 1n) === BigInt(bytes[0] & 1) ? root : prime - root
  return join(Uint8Array.of(4), bytes.slice(1), bytesOf(y.toString(16).padStart(64, "0")))
}

/**
 * How a device's key signs: one of 33 bytes is of P-256.
 *
 * @param {string} publicKey
 */
export const algorithmOf = (publicKey) => (publicKey.length === 66 ? "P-256" : "Ed25519")

/** @param {Seal} seal */
async function isSignedOnCurve(seal) {
  const signature = bytesOf(seal.signature)
  const point = pointOf(bytesOf(seal.publicKey))
  // Of its two values of s everybody can compute the greater one: only the smaller one is the device's.
  if (point === null || signature.length !== 64 || BigInt("0x" + hexOf(signature.slice(32))) > order / 2n) return false
  const key = await crypto.subtle.importKey("raw", point, { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"])
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, sealBytes(seal))
}

/**
 * Checks the signature of a device; null when this browser cannot.
 *
 * @param {Seal} seal
 */
export async function isSigned(seal) {
  let key
  if (algorithmOf(seal.publicKey) === "P-256") return isSignedOnCurve(seal)
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
