/**
 * The inputs of a comparison: around which event, which queries, how long, and what follows from the verdict. The step and the
 * command have the same ones. All problems are reported at once.
 */
import { parseBaseUrl } from '@deployment-annotations/client/connection'
import type { JudgeOptions } from '@deployment-annotations/compare/judge'
import { type NamedQuery, parseBaseline, parseQueries } from '@deployment-annotations/compare/named-queries'
import { DIRECTIONS, type Direction } from '@deployment-annotations/compare/series'
import { readSourceKind, type SourceKind } from '@deployment-annotations/compare/sources/sources'
import { BEFORE_TIMES, SEASONS_MS, type WindowOptions } from '@deployment-annotations/compare/windows'
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import { VERDICTS, type Verdict } from '@deployment-annotations/contract/verdict'
import { parseAll, refuse } from './input-error.ts'
import { parseLength, parseWait } from './input-length.ts'
import { type InputTime, parseInputTime } from './input-time.ts'
import { parseChoice, parseId } from './input-values.ts'
import { quote, toLog } from './text.ts'

/** Every input of a comparison and its default; '' means that there is none. */
export const COMPARISON_DEFAULTS = {
  id: '',
  time: '',
  endTime: '',
  queries: '',
  source: '',
  sourceToken: '',
  sourceTenant: '',
  service: '',
  baseline: '',
  after: '10m',
  before: '',
  seasons: '',
  wait: '15m',
  direction: '',
  minChange: '10%',
  confidence: '95%',
  failOn: '',
} as const

/** What inputs of a comparison were called before. */
export const COMPARISON_FORMER_NAMES = {
  baseline: 'against',
  after: 'window',
  seasons: 'season',
  minChange: 'tolerance',
} as const

type RawComparison = Record<keyof typeof COMPARISON_DEFAULTS, string>

/** The annotation that is compared around, or its times. */
type ComparedEvent = { id: string } | { time: InputTime; endTime: InputTime | undefined }

export interface ComparisonInputs {
  event: ComparedEvent
  /** None where the fields of the datasets say what to look at. */
  queries: NamedQuery[]
  /** Where series come from that are no events of the service. */
  source: SourceInputs | undefined
  /** By the name of a query what ran beside it. */
  baselines: ReadonlyMap<string, NamedQuery>
  windows: WindowOptions
  /** The longest that may be waited for the window after the event to be over. */
  waitMs: number
  direction: Direction | undefined
  judge: JudgeOptions
  /** Verdicts that fail the job. */
  failOn: Verdict[]
}

/** A server that has series: Prometheus, Loki or ClickHouse. */
export interface SourceInputs {
  kind: SourceKind
  baseUrl: URL
  /** '' where it asks for none; of the form `user:password` for basic authentication. */
  token: string
  /** The value of the label that names what was deployed; '' where there are queries. */
  service: string
  /** Whose data it is, where the server keeps that of several; '' where it does not. */
  tenant: string
}

/** The message for an empty id. */
export const NO_MARK = 'There is no annotation to compare around: none was created, or no id was given.'

/** Whether there is nothing to compare around: after an outage, or without a token, the id of the annotation is empty. */
export function lacksEvent({ id, time, endTime }: Pick<RawComparison, 'id' | 'time' | 'endTime'>): boolean {
  return id === '' && time === '' && endTime === ''
}

/** @throws InputError with every problem found */
export function parseComparison(raw: RawComparison): ComparisonInputs {
  return parseAll<ComparisonInputs>({
    event: () => parseEvent(raw),
    queries: () => parseNamedQueries(raw),
    source: () => parseSource(raw),
    baselines: () => parseBaselines(raw),
    windows: () => parseWindows(raw),
    waitMs: () => parseWait(raw.wait),
    direction: () => (raw.direction === '' ? undefined : parseChoice('direction', withoutBlanks(raw.direction), DIRECTIONS)),
    judge: () =>
      parseAll<JudgeOptions>({
        errorRate: () => (100 - parsePercent('confidence', raw.confidence, 80, 99.9)) / 100,
        minChange: () => parsePercent('minChange', raw.minChange, 0, 1_000) / 100,
      }),
    failOn: () => parseVerdicts(raw.failOn),
  })
}

function parseEvent({ id, time, endTime }: RawComparison): ComparedEvent {
  if (id === '' && time === '') refuse('id', ' is required, or the time of the event to compare around')
  if (id !== '' && time !== '') refuse('id', ' is given and the time of the event too: one of them says around what to compare')
  if (id !== '' && endTime !== '') refuse('endTime', ' goes with the time; with an id it is the end of the annotation')
  if (id !== '') return { id: parseId(id) }
  return { time: parseInputTime('time', time) ?? 'now', endTime: parseInputTime('endTime', endTime) }
}

/** Without a token nothing secret crosses the network, as within a cluster. */
function parseSource({ source, sourceToken, sourceTenant, service, queries }: RawComparison): SourceInputs | undefined {
  if (source === '') {
    if (service !== '') refuse('service', ` is ${quote(service)} and there is no source: it names what to look at in Prometheus`)
    return undefined
  }
  if (!/^[\x21-\x7e]*$/.test(sourceTenant))
    refuse('sourceTenant', ' must have no spaces, and only characters that a header may have')
  const { kind, address } = readSourceKind(source)
  if (service === '' && queries.trim() === '')
    refuse('service', " is required with a source, or queries in its language: it names what was deployed, by a label's value")
  const token = sourceToken.trim()
  const baseUrl = parseBaseUrl(address, token === '', 'source')
  return { kind, baseUrl, token, service, tenant: sourceTenant }
}

function parseWindows(raw: RawComparison): WindowOptions {
  const { afterMs, beforeMs, seasonsMs } = parseAll<Pick<WindowOptions, 'afterMs' | 'seasonsMs'> & Partial<WindowOptions>>({
    afterMs: () => parseLength('after', raw.after, ['1m', '7d']),
    beforeMs: () => (raw.before === '' ? undefined : parseLength('before', raw.before, ['1m', '30d'])),
    seasonsMs: () => parseSeasons(raw.seasons),
  })
  return { afterMs, beforeMs: beforeMs ?? BEFORE_TIMES * afterMs, seasonsMs }
}

/** Lists have commas or lines. */
const LIST = /[,\r\n]+/

/** `none`, or lengths of time; by default a day and a week. */
function parseSeasons(text: string): readonly number[] {
  if (text === '') return SEASONS_MS
  return text === 'none' ? [] : text.split(LIST).map((length) => parseLength('seasons', length, ['1h', '366d']))
}

function parseNamedQueries({ id, source, queries: text }: RawComparison): NamedQuery[] {
  if (text.trim() === '' && (id !== '' || source !== '')) return []
  const { queries, problems } = parseQueries(text)
  if (problems.length === 0) return queries
  const rule = 'Write a line "name: query" for each; a line that begins with "|" or a space continues the query before it'
  return refuse('queries', `: ${problems.map((problem) => toLog(problem)).join('; ')}. ${rule}`)
}

function parseBaselines({ baseline, queries }: RawComparison): ReadonlyMap<string, NamedQuery> {
  if (baseline.trim() === '') return new Map()
  if (queries.trim() === '') refuse('baseline', ' goes with queries: it says what each of them is compared with')
  const { baselines, problems } = parseBaseline(baseline, parseQueries(queries).queries)
  if (problems.length === 0) return baselines
  const rule = `Write what comes before "summarize", such as "['shop'] | where version == 'stable'", or a query for each name`
  return refuse('baseline', `: ${problems.map((problem) => toLog(problem)).join('; ')}. ${rule}`)
}

/** With or without the sign. */
function parsePercent(name: string, text: string, least: number, most: number): number {
  const percent = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text)
  const value = Number(percent?.[1])
  if (percent && value >= least && value <= most) return value
  return refuse(name, ` is ${quote(text)}: it must be a percentage from ${least}% to ${most}%`)
}

export function parseVerdicts(text: string): Verdict[] {
  const names = text.split(LIST).map(withoutBlanks)
  return names.filter((name) => name !== '' && name !== 'never').map((name) => parseChoice('failOn', name, VERDICTS))
}

/** What an outage does: a gate that cannot look does not open, unless that is wanted. */
export function parseGateOutage({ onOutage, failOn }: { onOutage: string; failOn: string }): 'warn' | 'fail' {
  if (onOutage === '') return ['', 'never'].includes(failOn.trim()) ? 'warn' : 'fail'
  return parseChoice('onOutage', onOutage, ['warn', 'fail'])
}

/** Values of several words were once written with blanks between them. */
function withoutBlanks(text: string): string {
  return text.trim().replace(/\s+/g, '-')
}

/** Milliseconds since the epoch of an input's time. */
export function toMs(time: InputTime, nowMs: number): number {
  return time === 'now' ? nowMs : Number(time.ns / (UNIT_NS.s / BigInt(UNIT_MS.s)))
}
