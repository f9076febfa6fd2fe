/**
 * Stores the items of a bulk request, those of each dataset together, and says of every one what became of it.
 */
import type { IngestOutcome } from '@deployment-annotations/event-store/rows/ingest-counts'
import { FAILURES_LISTED_MAX } from '@deployment-annotations/event-store/scan/limits'
import { ServiceError, type ServiceErrorCode } from '@deployment-annotations/runtime/errors'
import { type BulkItem, type ItemError, itemError } from './bulk.ts'

/** Events of one dataset. @param part tells them from the others of the request */
type StoreEvents = (dataset: string, lines: Iterable<Buffer>, part: string) => Promise<IngestOutcome>

/** So many at a time that each failure is listed: every item has an answer of its own. */
const BATCH_ITEMS_MAX = FAILURES_LISTED_MAX
/** Events go on in pieces of about this size. */
const PIECE_BYTES = 65_536

/** As Elasticsearch calls them. */
const TYPES: Partial<Record<ServiceErrorCode, string>> = {
  forbidden: 'security_exception',
  not_found: 'index_not_found_exception',
  overloaded: 'es_rejected_execution_exception',
  rate_limited: 'es_rejected_execution_exception',
  unavailable: 'unavailable_shards_exception',
}

/**
 * @param datasetOf the dataset of an item, or why it has none
 * @returns the error of each item, `undefined` where it was stored
 * @throws ServiceError where nothing at all was stored, and the same request may be sent again
 */
export async function storeItems(
  items: readonly BulkItem[],
  datasetOf: (item: BulkItem) => string | ItemError,
  store: StoreEvents,
): Promise<(ItemError | undefined)[]> {
  const places = items.map((item) => item.error ?? datasetOf(item))
  const errors = places.map((place) => (typeof place === 'string' ? undefined : place))
  const batches = batchesOf(places)
  const thrown: ServiceError[] = []
  for (const [part, { dataset, members }] of batches.entries()) {
    try {
      const { failures } = await store(dataset, piecesOf(members.map((index) => items[index] as BulkItem)), `bulk-${part}`)
      for (const { event, reason } of failures) {
        errors[members[event] as number] = itemError(reason, 'document_parsing_exception')
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      thrown.push(error)
      for (const index of members) errors[index] = itemError(error.message, TYPES[error.code], error.status)
    }
  }
  const [first] = thrown
  if (first && thrown.length === batches.length && thrown.every(isWorthARepeat)) throw first
  return errors
}

interface Batch {
  dataset: string
  /** Indexes of items. */
  members: number[]
}

/** @param places the dataset of each item, or why it has none */
function batchesOf(places: readonly (string | ItemError)[]): Batch[] {
  const batches: Batch[] = []
  const open = new Map<string, Batch>()
  for (const [index, dataset] of places.entries()) {
    if (typeof dataset !== 'string') continue
    const last = open.get(dataset)
    if (last && last.members.length < BATCH_ITEMS_MAX) last.members.push(index)
    else {
      const batch = { dataset, members: [index] }
      open.set(dataset, batch)
      batches.push(batch)
    }
  }
  return batches
}

function* piecesOf(items: readonly BulkItem[]): Generator<Buffer> {
  let piece: Buffer[] = []
  let bytes = 0
  for (const { line } of items) {
    piece.push(line, LINE_END)
    bytes += line.length + 1
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(piece)
    piece = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(piece)
}

const LINE_END = Buffer.from('\n')

const isWorthARepeat = ({ status }: ServiceError) => status === 409 || status === 429 || status >= 500
