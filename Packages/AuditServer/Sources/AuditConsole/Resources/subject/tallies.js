// Summarizes events that were counted one by one, in the form in which the server summarizes those that its index can count.

/** The summary of lines, with at most so many values of each kind. */
export function summarized(lines, limit) {
  const parts = (valuesOf) => {
    const tallies = new Map()
    for (const line of lines) for (const value of valuesOf(line)) add(tallies, value, line)
    const most = [...tallies].map(([value, tally]) => ({ value, tally })).sort((one, other) => other.tally.events - one.tally.events)
    return { most: most.slice(0, limit), count: most.length }
  }
  const all = new Map()
  for (const line of lines) add(all, "", line)
  return {
    all: all.get("") ?? empty(), isExact: true,
    accounts: parts(({ user }) => (user ? [user] : [])), activities: parts(({ activity }) => (activity ? [activity] : [])),
    metadata: parts(({ metadata }) => Object.entries(metadata).map(([name, value]) => `${name}\u0000${value}`)),
  }
}

const empty = () => ({ events: 0, reads: 0, writes: 0, first: Infinity, last: -Infinity })

function add(tallies, value, { event, timestamp }) {
  const tally = tallies.get(value) ?? empty()
  tallies.set(value, tally)
  tally.events += 1
  if (event === "read") tally.reads += 1
  if (event === "write") tally.writes += 1
  if (!timestamp) return
  const time = Date.parse(timestamp) * 1000
  tally.first = Math.min(tally.first, time)
  tally.last = Math.max(tally.last, time)
}
