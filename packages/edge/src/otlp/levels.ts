/**
 * Where the items of a request are, each of which becomes an event: log records, spans, and points of metrics, in lists that are in other
 * messages. Items are found one after the other, and each is read when it is its turn, so that a request takes little more memory than
 * its body.
 */
import type protobuf from 'protobufjs'
import { messageType } from './messages.ts'

/** A request that cannot be read; the message says where and why. */
export class WireError extends Error {}

/** The fields of a message by their names in JSON, in either encoding. Nothing is known of their values yet. */
export type Message = Readonly<Record<string, unknown>>

/** Called with the number of messages in lists so far. @throws ServiceError `too_large` */
export type CountMessages = (messages: number) => void

/** How many messages are read between two pauses. */
const MESSAGES_AT_ONCE = 4_096

/** The most values of one message, which is built without a pause: numbers of lists, and messages of lists, each of which counts as eight. */
export const VALUES_MAX = 131_072
export const MESSAGE_VALUES = 8

/** A message that is an item, or has fields that lead to items. */
export interface Level {
  /** The message of an item. Of any other message, its fields besides the lists. */
  readonly type: protobuf.Type
  readonly isItem: boolean
  readonly lists: readonly List[]
}

/** A field that leads to items. */
interface List {
  readonly name: string
  readonly id: number
  readonly level: Level
}

/** A message with lists while these are read. */
export interface Frame {
  readonly level: Level
  /** The message, and those around it from the outermost one on. */
  readonly heads: readonly Message[]
}

/** All methods that read throw WireError or, in protobuf, an Error of its library, and ServiceError `too_large` for too many messages. */
export interface Source<F extends Frame = Frame> {
  /** Begins the message at the present position, in the one of `parent`; without one, the request. */
  open(level: Level, parent?: F): F
  /** Goes to the next message of a list. @returns what it is; `undefined` after the last one */
  find(frame: F): Level | undefined
  /** Reads the item that `find` found. */
  read(level: Level, frame: F): Message
}

const itemOf = (name: string): Level => ({ type: messageType(name), isItem: true, lists: [] })
const levelOf = (name: string, lists: readonly List[]): Level => ({ type: messageType(name), isItem: false, lists })

/** What all signals have in common; the numbers are the same in all. */
function signal(name: string, items: string, level: Level): Level {
  const scope = levelOf('ScopeHead', [{ name: items, id: 2, level }])
  const resource = levelOf('ResourceHead', [{ name: `scope${name}`, id: 2, level: scope }])
  return levelOf('Request', [{ name: `resource${name}`, id: 1, level: resource }])
}

function data(name: string, id: number, point: string): List {
  return { name, id, level: levelOf('DataHead', [{ name: 'dataPoints', id: 1, level: itemOf(point) }]) }
}

export const METRIC_DATA = {
  gauge: data('gauge', 5, 'NumberPoint'),
  sum: data('sum', 7, 'NumberPoint'),
  histogram: data('histogram', 9, 'HistogramPoint'),
  exponential_histogram: data('exponentialHistogram', 10, 'ExponentialPoint'),
  summary: data('summary', 11, 'SummaryPoint'),
} as const

const METRIC = levelOf('MetricHead', Object.values(METRIC_DATA))

/** What a signal's request is, the service of its calls, and what its items are called. */
export const SIGNALS = {
  traces: { request: signal('Spans', 'spans', itemOf('Span')), service: 'trace.v1.TraceService', items: 'spans' },
  logs: { request: signal('Logs', 'logRecords', itemOf('LogRecord')), service: 'logs.v1.LogsService', items: 'log records' },
  metrics: { request: signal('Metrics', 'metrics', METRIC), service: 'metrics.v1.MetricsService', items: 'data points' },
} as const

export type SignalName = keyof typeof SIGNALS

/** @yields each item and the message that it is in; nothing after many messages, for a pause @throws as a {@link Source} does */
export function* eachItem(source: Source, request: Level): Generator<{ message: Message; frame: Frame } | undefined, undefined> {
  const frames = [source.open(request)]
  let messages = 0
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const level = source.find(frame)
    if (!level) frames.pop()
    else if (level.isItem) yield { message: source.read(level, frame), frame }
    else frames.push(source.open(level, frame))
    if (++messages % MESSAGES_AT_ONCE === 0) yield undefined
  }
}
