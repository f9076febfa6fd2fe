/**
 * The query of a monitor: may it ever run, and what does it find now. It is compiled and run like any other query, within the same
 * limits. Deliberately not here: thresholds; how what is found is read from rows (findings.ts).
 */
import { type Catalog, compile, type Dataset } from '@deployment-annotations/apl/compile'
import { QueryError } from '@deployment-annotations/apl/error'
import type { Plan } from '@deployment-annotations/apl/sql/plan'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { QueryCaller, Reader } from '@deployment-annotations/event-store/reading/reader'
import type { MonitorDefinition } from '@deployment-annotations/records/automations/monitor-records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { readCatalog } from '../../query/catalog.ts'
import { answeringQueryErrors } from '../../query/query-request.ts'
import { type RecordSource, requireReadable, withRecords } from '../../query/record-sources.ts'
import type { Measurement } from './decision.ts'
import { EVENTS_MAX, type Findings, find, requireFindings } from './findings.ts'

/** A monitor, and the end of the range that is asked about. */
interface Question
  extends Pick<MonitorDefinition, 'type' | 'aplQuery' | 'rangeMinutes' | 'columnName' | 'notifyByGroup' | 'knowsDecimals'> {
  atMs: number
  /** The only datasets that it may read; `undefined`: all. */
  reach?: readonly string[] | undefined
}

export type Evaluation = ReturnType<typeof createEvaluation>

/** All monitors together have the share of one caller; no person waits for them, so they are patient. */
const MONITORS: QueryCaller = { id: 'monitors', waitMsMax: 60_000 }

interface EvaluationParts {
  events: Pick<EventStore, 'datasets' | 'settle'>
  reader: Reader
  /** What can be queried besides datasets. */
  sources: readonly RecordSource[]
  rowsMax: number
}

export function createEvaluation({ events, reader, sources, rowsMax }: EvaluationParts) {
  const plan = (question: Question, catalog: Catalog) =>
    compile(question.aplQuery, {
      datasets: catalog,
      range: rangeOf(question),
      nowNs: BigInt(question.atMs) * UNIT_NS.ms,
      limitMax: question.type === 'MatchEvent' ? EVENTS_MAX : rowsMax,
      resolutionNs: 'range',
    })

  const catalogFor = (question: Question) => readCatalog({ datasets: events.datasets, sources, mayRead: mayRead(question) })

  const planBy = (question: Question): Plan => {
    const now = catalogFor(question)
    try {
      const known = plan(question, now)
      requireFindings(known, question)
      return known
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      return answeringQueryErrors(() => plan(question, imagine(question, now, plan)))
    }
  }

  return {
    /**
     * Datasets and fields that are not there yet are no mistake: the first event makes them.
     * @returns the datasets that the query reads, and what its author should know
     * @throws ServiceError `query` for a query that cannot run whatever the data, `forbidden` where it reads what the caller may not
     */
    check(question: Question, by: Caller): { read: readonly string[]; messages: readonly string[] } {
      const { datasets: read, messages } = planBy(question)
      requireReadable(sources, read, by)
      const named = question.reach ? read.filter((name) => !sources.some((source) => source.name === name)) : []
      for (const name of named) by.require('query|read', 'to monitor it', name)
      return { read, messages: textsOf(messages, { knowsDecimals: true }) }
    },

    /** The same without a caller. @returns the datasets that the query reads now; `undefined` where it cannot run */
    reads(question: Question): readonly string[] | undefined {
      try {
        return planBy(question).datasets
      } catch {
        return undefined
      }
    },

    /** @throws ServiceError as a query does; the signal's reason when it ends the read */
    async measure(question: Question, signal: AbortSignal): Promise<Findings & Pick<Measurement, 'messages'>> {
      const compiled = answeringQueryErrors(() => plan(question, catalogFor(question)))
      await events.settle(compiled.datasets)
      const asked = { range: rangeOf(question), limit: question.reach, mayQuery: mayRead(question) }
      const known = await withRecords(compiled, sources, asked)
      const found = await find(known, question, (statement) => reader.read(statement, signal, MONITORS))
      return { ...found, messages: textsOf(known.messages, question) }
    },
  }
}

const mayRead =
  ({ reach }: Question) =>
  (name: string) =>
    reach === undefined || reach.includes(name)

/** A limit is no concern of a query whose rows nobody pages through, and an author who knows of decimals is not told of them. */
const textsOf = (messages: Plan['messages'], { knowsDecimals }: Pick<Question, 'knowsDecimals'>) =>
  messages.flatMap(({ code, text }) => (code.includes('limit') || (knowsDecimals && code === 'quotient_changed') ? [] : text))

function rangeOf({ rangeMinutes, atMs }: Question) {
  const endNs = BigInt(atMs) * UNIT_NS.ms
  return { startNs: endNs - BigInt(rangeMinutes) * UNIT_NS.m, endNs }
}

/** The catalog as it might become: the datasets that the query names are there, and every field is. */
function imagine(question: Question, now: Catalog, plan: (question: Question, catalog: Catalog) => Plan): Catalog {
  const imagined = new Map([...now].map(([name, known]) => [name, 'constant' in known ? known : withAnyField(known)]))
  for (;;) {
    try {
      plan(question, imagined)
      return imagined
    } catch (error) {
      const missing = error instanceof QueryError ? error.dataset : undefined
      if (missing === undefined || imagined.has(missing)) return imagined
      imagined.set(missing, withAnyField({ name: missing, table: 'events_imagined', fields: new Map() }))
    }
  }
}

function withAnyField(dataset: Dataset): Dataset {
  return {
    ...dataset,
    get fields() {
      return new AnyField(dataset.fields)
    },
  }
}

/** The type of a field that no event had yet is unknown, so no use of it is wrong. */
class AnyField extends Map<string, ReadonlySet<string>> {
  override has(): boolean {
    return true
  }
}
