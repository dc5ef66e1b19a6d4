// What the pages hand to each other, for `tsc --checkJs` alone: nothing here is served.

type Maybe<T> = T | null | undefined

/** What `h` makes a part of an element; false and null are left out, a list is taken one by one. */
type Child = Node | string | number | false | null | undefined | Child[]

/** Attributes and listeners of an element. */
interface Properties {
  click?: (event: MouseEvent) => unknown
  submit?: (event: SubmitEvent) => unknown
  toggle?: (event: Event) => unknown
  [name: string]: Maybe<string | number | boolean> | ((event: any) => unknown)
}

/** The query of an address; what is empty is left out of links. */
type Query = Record<string, Maybe<string | number>>

/** A page of the console. */
interface Page {
  /** What it is called in the menu; without it, only links lead there. */
  label?: string
  /** Why somebody may not open it; null when nothing is against it. */
  refusal: (session: SignedIn) => string | null
  show: (place: HTMLElement, address: { rest: string[], query: URLSearchParams, signal: AbortSignal }) => Promise<void>
}

/** Shows a page anew after something was done to a part of it. */
type ShowAgain = (part: string, sentence: string) => Promise<void>

/** A field of the search's filters. */
interface FilterField {
  name: string
  label: string
  help?: string
  /** Which values the server suggests. */
  values?: string
  options?: [string, string][]
}

/** What one person did with one object without a long pause; times in milliseconds since 1970. */
interface Visit {
  person: string
  from: number
  until: number
  seen: number
  created: number
  changed: number
  deleted: number
  /** The properties that were changed. */
  fields: string[]
  /** Whether there are more. */
  hasMoreFields: boolean
  activities: string[]
  reasons: string[]
  lines: EventLine[]
}

/** A page of the menu. */
interface PageName {
  name: string
  label: string
}

/** Where the command bar leads. */
interface Way {
  address: string
  shown: Child
}

/** What the page of a person or an object is about. */
interface Subject {
  kind: string
  name: string
  filter: Record<string, string>
  lead: string
  /** What an object was called, the newest first. */
  names?: Name[]
  /** What a directory of staff says of a person. */
  known?: Person | null
  tools?: Child
  parts: (summary: Summary) => Child
  /** The object whose masked values a reviewer may see. */
  reveal?: { type: string, key: string } | null
}

/** The partitions of one person that one key closed. */
interface Device {
  app: string
  user: string
  key: string | null
  newest: PartitionRecord
  partitions: PartitionRecord[]
  /** Those whose one before is missing. */
  gaps: PartitionRecord[]
  /** Those that are not as they were signed. */
  forged: PartitionRecord[]
}

/** Events of a page of results, and where to go on. */
interface ResultPage {
  events: EventLine[]
  before: Maybe<string>
  after: Maybe<string>
}

/** From where to where a scope is drawn. */
interface Span {
  from: number
  to: number
}

/** A payload, as far as it is understood. */
type Understood =
  | { kind: "none" }
  | { kind: "text", text: string }
  | { kind: "json", value: any }
  | { kind: "read", type: string, objects: any[], terms: any }
  | { kind: "write", changes: PayloadChange[] }

interface PayloadChange {
  type: string
  action: string
  before: any
  now: any
}

/** What is known beside a payload. */
interface PayloadContext {
  /** The texts that are keys of objects; without them, what looks like one. */
  links?: Set<string>
  /** The event, as `PARTITION/SEQUENCE`. */
  at?: string
  /** Whose event it is. */
  person?: Maybe<string>
}

interface ProofStep {
  state: "good" | "bad" | "unknown"
  title: string
  detail?: Maybe<string>
}

/** What the browser's own check of a proof found. */
interface Checked {
  verdict: "proven" | "held" | "masked" | "broken" | "erased" | "unchecked"
  steps: ProofStep[]
  /** The event, decoded from the very bytes that were hashed. */
  event: DecodedEvent | null
  /** Of a masked event, what is known of its place. */
  place?: "proven" | "held" | "broken"
}

/** What a page shows of an event. */
interface ShownEvent {
  id: Maybe<string>
  timestamp: Maybe<string>
  committed: Maybe<string>
  boot: Maybe<string>
  activity: Maybe<string>
  event: Maybe<string>
  data: Maybe<string>
  metadata: [string, string][]
  sync?: Maybe<SyncPlace>
  interrupted?: boolean
  incomplete?: boolean
}

interface DecodedEvent extends ShownEvent {
  monotonic: bigint
}

/** What the address of a page of a realm file says. */
interface FileAddress {
  rest: string[]
  query: URLSearchParams
  signal: AbortSignal
}

/** Reads what a page shows once more, and returns the state that the file was in. */
type ReadAgain = () => Promise<string>
