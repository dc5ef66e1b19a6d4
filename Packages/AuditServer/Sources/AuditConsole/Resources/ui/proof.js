// Recomputes the proof of an event in this browser, from nothing but what the proof itself holds.

import { decode } from "./event-bytes.js"
import { bytesOf, hexOf, leafHash, rootOf } from "./merkle.js"
import { algorithmOf, isAsSealed, isOfTree, isSigned } from "./seals.js"

/**
 * Checks a proof step by step.
 *
 * Returns `{verdict, steps, event}`: the verdict is `proven` (signed by the device), `held` (in the server's tree, whose
 * partition is open), `masked` (its place is proven, its content is not here), `broken` or `unchecked`; the event is decoded
 * from the very bytes that were hashed.
 *
 * @param {Maybe<Proof>} proof
 * @param {Maybe<string>} storedLeaf
 * @param {Maybe<PlaceProof>} position
 * @returns {Promise<Checked>}
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
  const { steps, add } = protocol()
  /** @type {DecodedEvent | null} */
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

/** A list of steps, and what adds one. */
function protocol() {
  /** @type {ProofStep[]} */
  const steps = []
  /** @param {ProofStep["state"]} state @param {string} title @param {Maybe<string>} [detail] */
  const add = (state, title, detail) => { steps.push({ state, title, detail }) }
  return { steps, add }
}

/**
 * Checks that the hash of an erased event is in the tree, as `check` does for an event; the verdict is `erased` then.
 *
 * @param {PartitionRecord} partition
 * @param {string} leaf
 * @param {Inclusion} inclusion
 * @returns {Promise<Checked>}
 */
export async function checkErased(partition, leaf, inclusion) {
  if (!globalThis.crypto?.subtle) return check(null, leaf)
  const { steps, add } = protocol()
  let isIncluded = false
  /** @type {boolean | null} */
  let signed = null
  try {
    const root = await rootOf(bytesOf(leaf), inclusion.index, inclusion.count, inclusion.path.map(bytesOf))
    isIncluded = root !== null && hexOf(root) === partition.root
    signed = await isAsSealed({ ...partition, count: inclusion.count })
  } catch {
    // What cannot be read leads nowhere.
  }
  if (isIncluded) add("good", `The hash of event ${inclusion.index + 1} of ${inclusion.count} leads to the root`, partition.root)
  else add("bad", "The hash of the event does not lead to the root of the partition", leaf)
  if (!partition.seal) add("unknown", "The device has not closed this partition yet; the root is the server's word", null)
  else if (signed) add("good", `The device closed the partition with this root, and the signature is its (${algorithmOf(partition.seal.publicKey)})`, partition.seal.publicKey)
  else if (signed === null) add("unknown", "This browser cannot check Ed25519 signatures", partition.seal.publicKey)
  else add("bad", "The device closed the partition with another root, or did not sign it", partition.seal.publicKey)
  return { verdict: isIncluded && signed !== false ? "erased" : "broken", steps, event: null }
}

/**
 * Walks from a leaf to the root and looks at the device's signature; returns `proven`, `held` or `broken`.
 *
 * @param {Uint8Array} leaf
 * @param {PlaceProof} proof
 * @param {ReturnType<typeof protocol>["add"]} add
 * @returns {Promise<"proven" | "held" | "broken">}
 */
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
  const isSameTree = isOfTree(seal, proof.partition, proof.root, count)
  if (isSameTree) add("good", "The device closed the partition with this very root and number of events", null)
  else add("bad", "The device closed the partition with another root or number of events", seal.root)
  const signed = await isSigned(seal)
  if (signed) add("good", `The signature is the device's (${algorithmOf(seal.publicKey)})`, seal.publicKey)
  else if (signed === null) add("unknown", "This browser cannot check Ed25519 signatures", seal.publicKey)
  else add("bad", "The signature does not belong to what was signed", seal.publicKey)
  if (!isIncluded || !isSameTree || signed === false) return "broken"
  return signed ? "proven" : "held"
}

/**
 * Checks the place of an event whose values are masked: the hash is the server's word, the way to the root is computed.
 *
 * @param {PlaceProof} position
 * @param {Maybe<string>} storedLeaf
 * @returns {Promise<Checked>}
 */
async function checkPosition(position, storedLeaf) {
  const { steps, add } = protocol()
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
