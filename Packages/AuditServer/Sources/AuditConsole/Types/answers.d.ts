// What the server answers, as far as the pages read it, for `tsc --checkJs` alone: nothing here is served. Times are texts in
// ISO 8601, or microseconds since 1970 where they are numbers.

/** The answers of `api.get` by their paths. */
interface Answers {
  "alerts": { alerts: Alert[], after: Maybe<string>, open: number, isCurrent: boolean }
  "alerts/count": { open: number }
  "completeness/clocks": ClockFinding[]
  "completeness/devices": Circumstances[]
  "completeness/log": { missing: MissingPartition[], gaps: string[], check: StoreCheck }
  "console/session": SignedIn
  "erasures": ErasureRecord[]
  "exports": ExportJob[]
  "holds": Hold[]
  "names": NamesAnswer
  "notes": Note[]
  "people": Person[]
  "reconstruct": Reconstruction
  "retention": RetentionRule[]
  "retention/clock": { isBelieved: boolean, aheadSeconds: number }
  "reviews": Review[]
  "search": SearchAnswer
  "search/new": { events: EventLine[], last: string, isMore: boolean, beginsAnew?: boolean }
  "search/summary": Summary
  "search/values": { value: string, events: number }[]
  "search/volume": Volume
  "timeline": Session
  "unmasking/purposes": string[]
  "views": SavedView[]
}

/** Who has signed in. */
interface SignedIn {
  role: string
  name: string
  /** The apps that the token is for; nothing for all. */
  apps?: Maybe<string[]>
  token?: Maybe<string>
  expires?: Maybe<string>
}

interface EventPlace {
  partition: string
  sequence: number
}

// Searching

/** What an object was called in events. */
interface Name {
  app: string
  class: string
  key: string
  label: string
  /** How many events call it so; nothing for who may not read all of them. */
  events?: Maybe<number>
  lastSeen: number
}

/** Somebody as a directory of staff has them. */
interface Person {
  id: string
  name: string
  role?: Maybe<string>
  unit?: Maybe<string>
}

interface NamesAnswer {
  names: Name[]
  people: Person[]
  isWhole: boolean
  /** The classes whose objects have names. */
  classes: string[]
  isCurrent: boolean
}

/** An event as lists have it. */
interface EventLine extends EventPlace {
  cursor: string
  timestamp: Maybe<string>
  user: Maybe<string>
  activity: Maybe<string>
  event: Maybe<string>
  outcome: string
  metadata: Record<string, string>
  objects: { class: Maybe<string>, key: string, action: string, label?: Maybe<string> }[]
  objectCount: number
  changes?: Maybe<ValueChange[]>
  excerpt: Maybe<string>
  masked?: boolean
  changed?: boolean
}

/** What a write did to one property; values are JSON text that may be cut. */
interface ValueChange {
  class: string
  key: Maybe<string>
  name: string
  before: Maybe<string>
  after: Maybe<string>
}

interface SearchAnswer extends ResultPage {
  isCurrent: boolean
}

interface Volume {
  start: Maybe<number>
  width: number
  counts: number[]
  isExact: boolean
}

interface Tally {
  events: number
  reads: number
  writes: number
  first: number
  last: number
}

interface Tallies {
  most: { value: string, tally: Tally }[]
  count: number
}

interface Summary {
  all?: Maybe<Tally>
  isExact: boolean
  accounts: Tallies
  activities: Tallies
  metadata: Tallies
  keys?: Tallies
  classes?: Tallies
  boots?: Tallies
}

// Events and proofs

interface Seal {
  app?: Maybe<string>
  user?: Maybe<string>
  partition: string
  number?: Maybe<number>
  count: number
  root: string
  first?: Maybe<number>
  last?: Maybe<number>
  previousRoot?: Maybe<string>
  ledgerPart?: Maybe<number>
  isLedgerContinued?: Maybe<boolean>
  losses: Loss[]
  publicKey: string
  signature: string
}

interface Loss {
  reason: string
  count: number
  noticed: number
  first?: Maybe<number>
  last?: Maybe<number>
  partition?: Maybe<string>
  sequences?: Maybe<[number, number]>
  root?: Maybe<string>
}

interface PartitionRecord {
  partition: string
  app: string
  user: string
  count: number
  root: string
  seal?: Maybe<Seal>
  received: number
}

/** The way from an event to the root of its partition. */
interface Inclusion {
  index: number
  count: number
  path: string[]
}

interface PlaceProof {
  partition: string
  sequence: number
  leafHash: string
  root: string
  inclusion: Inclusion
  seal?: Maybe<Seal>
}

interface Proof extends PlaceProof {
  /** The canonical bytes of the event. */
  event: string
}

interface EventAnswer {
  partition: PartitionRecord
  event: RecordedLine
  proof: Maybe<Proof>
  leafHash: string
  position: Maybe<PlaceProof>
  inclusion: Inclusion
  erasure: Maybe<Erasure>
  links: string[]
  problems: string[]
}

/** An event as it was recorded; what has no name here is metadata. */
interface RecordedLine {
  _id: string
  _partition: string
  activity: Maybe<string>
  event: Maybe<string>
  data: Maybe<string>
  timestamp: Maybe<string>
  daybook: {
    app: string, user: Maybe<string>, sequence: number, received: Maybe<string>, boot: Maybe<string>,
    masked?: boolean, interrupted?: boolean, incomplete?: boolean, sync?: SyncPlace
  }
}

/** Where the realm of an event was in sync. */
interface SyncPlace {
  /** The last entry of the server that was known. */
  position: number
  /** The last change of the file itself. */
  change: number
  /** How many changes a write became. */
  changes?: number
  file?: number
  history?: string
}

interface UnmaskOrder {
  purpose: string
  reason: string
}

// Sessions and records

interface Session {
  events: SessionEvent[]
  scopes: SessionScope[]
  before: Maybe<string>
  after: Maybe<string>
}

interface SessionEvent {
  line: EventLine
  boot: Maybe<string>
  /** The place of its scope in the list of scopes. */
  scope: Maybe<number>
}

interface SessionScope {
  activity: string
  user: string
  boot: string
  first: number
  last: number
  events: number
  committed: Maybe<number>
  isInterrupted: boolean
  hasEarlier: boolean
  hasLater: boolean
}

/** A value that an event says of a property; without it, the value is too long. */
interface Claim {
  value: Maybe<string>
  bytes: number
  origin: string
  /** The place of its event in the list of sources. */
  source: number
}

interface Source {
  line: EventLine
  isOwn: boolean
  hadHappened: boolean
  wasReceived: boolean
}

interface Reconstruction {
  state: string
  moment: string
  fields: { name: string, shown: Maybe<Claim>, known: Maybe<Claim>, isOlder: boolean, isKnownEarlier: boolean }[]
  mentions: { within: { class: string, key: Maybe<string> }, fields: { name: string, value: Maybe<string> }[], source: number }[]
  sources: Source[]
  deletion: Maybe<number>
  knownDeletion: Maybe<number>
  links: string[]
  ownEvents: number
  otherEvents: number
  damagedEvents: number
  isComplete: boolean
}

// Completeness

interface MissingPartition {
  partition: string
  app: string
  user: string
  sealed: number
  stored: number
  problems: string[]
}

/** A pass of the check of what is stored; its numbers are for those who may read everything. */
interface CheckPass {
  began: number
  ended?: Maybe<number>
  sealedPartitions?: Maybe<number>
  partitions?: Maybe<number>
  events?: Maybe<number>
}

interface CheckFinding {
  kind: string
  partition?: Maybe<string>
  problems: string[]
  found: number
}

interface StoreCheck {
  isOn: boolean
  last?: Maybe<CheckPass>
  current?: Maybe<CheckPass>
  findings: CheckFinding[]
  isCut: boolean
  remarks: string[]
}

interface Circumstances {
  partition: string
  metadata: Record<string, string>
  boot: Maybe<string>
  newest: number
}

interface ClockPlace extends EventPlace {
  time: number
}

interface ClockFinding {
  account: string
  boot: string
  steps: { microseconds: number, first: ClockPlace, last: ClockPlace }[]
  ahead: number
}

// Views, reviews, alerts and notes; each is an event of the trail

interface SavedView {
  id: string
  name: string
  query: string
  owner: string
  own: boolean
  shared: boolean
  saved: string
  event: EventPlace
}

interface Review {
  id: string
  name: string
  query: string
  state: "overdue" | "due" | "waiting"
  period: string
  zone: string
  who: Maybe<string>
  from: string
  through: string
  due: string
  events: number | null
  isExact: boolean
  alerts: number
  last: Maybe<Signature>
}

interface Signature {
  outcome: string
  author: string
  signed: string
  from: string
  through: string
  events: number | null
  logSize: number
  note?: Maybe<string>
  event: EventPlace
}

interface Alert {
  id: string
  kind: string
  rule: string
  app: Maybe<string>
  person: Maybe<string>
  class: Maybe<string>
  key: Maybe<string>
  partition: Maybe<string>
  sequence: Maybe<number>
  count: Maybe<number>
  from: string
  through: string
  raised: string
  detail: Maybe<string>
  review: Maybe<string>
  shown: Maybe<ShownRecords>
  answer: Maybe<AlertAnswer>
  event: EventPlace
}

interface AlertAnswer {
  author: string
  reason: string
  acknowledged: string
  event: EventPlace
}

/** What the event of an alert shows. */
interface ShownRecords {
  objects: { class: Maybe<string>, key: string }[]
  objectCount: number
  metadata: Record<string, string>
  excerpt: Maybe<string>
}

interface Note {
  text: Maybe<string>
  author: Maybe<string>
  written: string
  event: EventPlace
}

// Exports and keeping

interface ExportJob {
  id: string
  state: "waiting" | "running" | "done" | "failed" | "interrupted"
  filter: Record<string, string>
  created: string
  expires: Maybe<string>
  reason: Maybe<string>
  problem: Maybe<string>
  progress: { events: number, examined: number, total: number, bytes: number }
  files: { name: string, bytes: number }[]
}

/** Who did something about keeping, when and why. */
interface Decision {
  at: string
  by: string
  reason: string
}

interface Hold {
  number: number
  name: string
  filter: Record<string, string>
  placed: Decision
  lifted: Maybe<Decision>
}

interface RetentionRule {
  app: string
  days: Maybe<number>
  events: Record<string, number>
  expired?: number
  allowed?: number
  held?: Record<string, number>
}

interface Erasure {
  number: number
  order: { kind: string, filter: Record<string, string>, begun: Decision }
}

interface ErasureRecord extends Erasure {
  result: Maybe<{ events: number, digest: string }>
}

interface ErasurePreview {
  events: number
  withOtherObjects: number
  apps: Record<string, number>
  held: Record<string, number>
  damaged: number
  places: { partition: string, sequence: number, received: Maybe<string> }[]
}

/** The answers of the server of a realm file by their paths. */
interface FileAnswers {
  "changes": { state: string }
  "classes": { state: string, name: string, schemaVersion: string, classes: FileClass[] }
  "object": { state: string, key: Maybe<string>, row: string, lines: { name: string, type: string, value: StoredValue }[] }
  "objects": { state: string, columns: FileProperty[], total: number, rows: FileRow[] }
}

interface FileClass {
  name: string
  count: number
  isEmbedded: boolean
  properties: FileProperty[]
}

interface FileProperty {
  name: string
  type: string
  isSortable: boolean
  isPrimaryKey: boolean
  isIndexed: boolean
}

interface FileRow {
  key: Maybe<string>
  row: string
  /** In the order of the columns. */
  values: StoredValue[]
}

/** A value of an object in a realm file. */
interface StoredValue {
  /** `none`, `bool`, `number`, `text`, `data`, `date`, `id`, `link`, `list`, `map` or `object`. */
  kind: string
  text?: string
  /** The length of the whole, where only its beginning is here. */
  whole?: number
  className?: string
  row?: string
  items?: StoredValue[]
  entries?: StoredEntry[]
}

interface StoredEntry {
  name: string
  value: StoredValue
}
