/**
 * Reads a body of Elasticsearch's bulk API: lines in pairs, what to do and the document. What one item has wrong is an answer to that
 * item alone; a line that says nothing known is an error of the whole body, because then nobody knows where the next item begins.
 * Deliberately not here: which dataset an index is, and storing.
 */
import { EVENT_BYTES_MAX } from '@deployment-annotations/event-store/scan/limits'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'

const ACTIONS = ['index', 'create', 'update', 'delete'] as const
type Action = (typeof ACTIONS)[number]

/** Why one item is refused, as Elasticsearch answers it. */
export interface ItemError {
  readonly status: number
  readonly error: { readonly type: string; readonly reason: string }
}

/** @param type as Elasticsearch calls it */
export function itemError(reason: string, type = 'illegal_argument_exception', status = 400): ItemError {
  return { status, error: { type, reason } }
}

export interface BulkItem {
  readonly action: Action
  /** `_index` of the item. */
  readonly index: string | undefined
  /** `_id` of the item. */
  readonly id: string | undefined
  /** The event, one line of JSON; empty where there is an error. */
  readonly line: Buffer
  readonly error?: ItemError
}

const LF = 0x0a
const CR = 0x0d
const BLANK = 0x20
const EMPTY = Buffer.alloc(0)
/** Each has an answer of its own, and all of them are in memory at a time; clients send a few thousand. */
const ITEMS_MAX = 50_000
/** What an item and its error take in memory, besides the bytes of the body. */
const ITEM_BYTES = 400
/** How many items are counted at a time. */
const ITEMS_COUNTED = 1_000

/** @param hold counts what the items take in memory @throws ServiceError `malformed`, `too_large`; whatever `hold` throws */
export async function readBulk(bytes: Buffer, hold: (bytes: number) => void): Promise<BulkItem[]> {
  const items: BulkItem[] = []
  const lines = linesOf(bytes)
  let sliceFrom = performance.now()
  for (const { line, number } of lines) {
    if (items.length >= ITEMS_MAX)
      throw new ServiceError('too_large', `the body has more than ${ITEMS_MAX} items; send it in parts`)
    if (items.length % ITEMS_COUNTED === ITEMS_COUNTED - 1) hold(ITEMS_COUNTED * ITEM_BYTES)
    const { action, meta } = readAction(line.subarray(0, EVENT_BYTES_MAX), number)
    const { _index, _id, pipeline } = meta
    const head = { action, index: textOf(_index), id: textOf(_id) }
    const document = action === 'delete' ? EMPTY : nextLine(lines, action, number)
    items.push(
      action === 'index' || action === 'create'
        ? { ...head, ...readDocument(document, head.id, textOf(pipeline)) }
        : { ...head, ...refused(`${action} is not supported: events are added, and never changed`) },
    )
    sliceFrom = await endSlice(sliceFrom)
  }
  return items
}

/** @param bytes one document, perhaps over several lines @returns it as an item that creates it */
export function readDocumentItem(bytes: Buffer, index: string | undefined, id: string | undefined): BulkItem {
  // A line break within JSON stands between two of its parts, where a blank says the same.
  const oneLine = (byte: number) => (byte === LF || byte === CR ? BLANK : byte)
  const line = bytes.length > EVENT_BYTES_MAX ? bytes : Buffer.from(bytes.map(oneLine))
  return { action: 'create', index, id, ...readDocument(line, id, undefined) }
}

/** @yields lines and their numbers, counted from 1. Blank lines are passed over. */
function* linesOf(bytes: Buffer): Generator<{ line: Buffer; number: number }> {
  let number = 1
  for (let from = 0; from < bytes.length; ) {
    if (bytes[from] === LF || bytes[from] === CR) {
      // A body may have millions of them.
      if (bytes[from++] === LF) number++
      continue
    }
    const at = bytes.indexOf(LF, from)
    const to = at === -1 ? bytes.length : at
    yield { line: bytes.subarray(from, to), number }
    from = to
  }
}

function readAction(line: Buffer, number: number): { action: Action; meta: Record<string, unknown> } {
  const [entry, ...more] = Object.entries(parseObject(line) ?? {})
  const action = ACTIONS.find((name) => name === entry?.[0])
  const meta = entry?.[1]
  if (action && more.length === 0 && typeof meta === 'object' && meta !== null)
    return { action, meta: meta as Record<string, unknown> }
  throw new ServiceError(
    'malformed',
    `line ${number}: expected an action such as {"create":{}}, found ${quoted(line.toString())}; nothing was stored`,
  )
}

function nextLine(lines: ReturnType<typeof linesOf>, action: Action, number: number): Buffer {
  const next = lines.next()
  if (!next.done) return next.value.line
  throw new ServiceError('malformed', `line ${number}: the action ${action} has no document after it; nothing was stored`)
}

function readDocument(line: Buffer, id: string | undefined, pipeline: string | undefined): Pick<BulkItem, 'line' | 'error'> {
  if (line.length > EVENT_BYTES_MAX) return refused(`the document has more than ${EVENT_BYTES_MAX} bytes`)
  const document = parseObject(line)
  if (!document) {
    return refused(`the document is not a JSON object: ${quoted(line.toString())}`, 'document_parsing_exception')
  }
  if (pipeline !== undefined && pipeline !== '_none') {
    return refused(`pipeline with id [${pipeline}] does not exist: there are none here`)
  }
  return { line: id === undefined ? line : withId(line, id, Object.keys(document).length === 0) }
}

/** An id stays with its event, as a field: nothing here goes by it. */
function withId(line: Buffer, id: string, isEmpty: boolean): Buffer {
  const rest = line.subarray(line.indexOf(0x7b) + 1)
  return Buffer.concat([Buffer.from(`{"_id":${JSON.stringify(id)}${isEmpty ? '' : ','}`), rest])
}

const refused = (reason: string, type?: string) => ({ line: EMPTY, error: itemError(reason, type) })

/** @returns nothing where it is not a JSON object */
function parseObject(line: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
