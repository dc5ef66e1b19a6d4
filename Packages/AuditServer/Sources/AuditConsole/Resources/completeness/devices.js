// What events tell about devices: their names as far as apps record some, and what helps to tell them apart.

import * as api from "../ui/api.js"
import { h } from "../ui/elements.js"
import { timelineLink } from "../ui/links.js"
import { short } from "../ui/texts.js"
import { instant, time } from "../ui/times.js"

const maximumNamed = 100
const deviceColumns = ["device", "deviceName", "device_name", "deviceId", "device_id", "tablet", "workstation", "host", "hostname", "model"]

/**
 * Asks for the newest events of each device's newest partition; returns what they say by partition.
 *
 * @param {Device[]} devices
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, Circumstances>>}
 */
export async function circumstances(devices, signal) {
  const newest = devices.map((device) => device.newest.partition).slice(0, maximumNamed)
  if (newest.length === 0) return new Map()
  const found = await api.get("completeness/devices", newest.map((partition) => ["partition", partition]), signal)
  return new Map(found.map((one) => [one.partition, one]))
}

/**
 * The name that the app recorded for a device, else the first digits of the key that it signs with.
 *
 * @param {Device} device
 * @param {Circumstances | undefined} found
 */
export function deviceName(device, found) {
  const metadata = found?.metadata ?? {}
  const column = deviceColumns.find((name) => metadata[name])
  if (column) return metadata[column]
  return device.key ? `Device ${device.key.slice(0, 4)} ${device.key.slice(4, 8)}` : "A device that has closed no partition yet"
}

/**
 * Other things that the newest event says, which help to tell devices apart.
 *
 * @param {Device} device
 * @param {Circumstances | undefined} found
 */
export function deviceFacts(device, found) {
  const metadata = Object.entries(found?.metadata ?? {}).filter(([name]) => !deviceColumns.includes(name))
  return h("p", { class: "caption" },
    device.key ? ["Key ", h("code", { title: device.key }, short(device.key, 16))] : "Its key is known when it closes a partition",
    found?.boot && [" · last run ", h("a", { href: timelineLink({ person: device.user, boot: found.boot }) }, short(found.boot, 12))],
    found && [" · newest event ", time(instant(found.newest))],
    metadata.length > 0 && ` · ${metadata.slice(0, 4).map(([name, value]) => `${name} ${short(value, 20)}`).join(", ")}`)
}
