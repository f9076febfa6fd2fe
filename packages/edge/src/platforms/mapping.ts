/**
 * Reads any JSON body by the expressions of a mapping, which mapping-expression.ts explains. The mapping is that of an
 * integration, or one of those that this program has for the bodies of a platform.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { parseEpoch } from '@deployment-annotations/contract/epoch'
import type { IntegrationMapping } from '@deployment-annotations/contract/integration'
import { type JobResult, jobResultOf } from '@deployment-annotations/contract/job-result'
import { formatTimestamp, isStorable } from '@deployment-annotations/contract/timestamp'
import { quoted } from '@deployment-annotations/runtime/errors'
import type { DeploymentState, Outcome, WebhookContent } from './deployment-event.ts'
import { matchGlob } from './glob.ts'
import { type Alternative, type Part, parseExpression, type Step } from './mapping-expression.ts'
import { firstLine, instantOfMs, joinId, memberAt, shortCommit, textOf, timeOf, urlOf, versionIn } from './payload.ts'

/** A mapping for one kind of body, with what only platforms need; each text is an expression where nothing else is said. */
export interface BodyKind extends Partial<IntegrationMapping> {
  /** A body is of this kind if it has all that stands in the braces. */
  when?: string
  /** Why bodies of this kind are ignored. A plain text. */
  ignored?: string
  /** Why a body is ignored whose state is none that is marked. A plain text. */
  unknownState?: string
  /** Must be the text of `as`, or else the body is ignored for the reason `otherwise`, a plain text. */
  same?: string
  as?: string
  otherwise?: string
  /** What the event is, if it is no deployment. A plain text. */
  kind?: 'incident' | 'environment' | 'release'
  /** What was done where it is another thing than to deploy, by the word of the state in small letters. Each is a success. */
  actions?: Readonly<Record<string, string>>
  /** Another name of the environment, by which an integration may choose it. */
  alias?: string
  /** When it was asked for. */
  queued?: string
  /** Which of two events at one moment is the later one, a whole number. */
  sequence?: string
  /** The version where `version` has none. */
  versionElse?: string
  /** The address where `url` is none. */
  urlElse?: string
  /** What is deployed. */
  change?: string
  /** Why it failed; not shown of what did not. */
  failure?: string
  /** Whether a success may be reported again any time later, so that only the first one counts. */
  isSuccessRepeated?: boolean
}

/** A request as its expressions see it. */
interface Sent {
  header: IncomingHttpHeaders
  body: unknown
}

/** @returns a reader of the bodies of all these kinds; it ignores others for the reason `otherwise` */
export function readerOf(kinds: readonly BodyKind[], otherwise: string) {
  const parsed = kinds.map(parseKind)
  return (sent: Sent, nowMs: number): WebhookContent => {
    const kind = parsed.find(({ parts: { when } }) => !when || evaluate(when, sent, true) !== undefined)
    return kind ? readMapped(kind, sent, nowMs) : { ignored: otherwise }
  }
}

interface ParsedKind {
  kind: BodyKind
  parts: { [Member in keyof BodyKind]?: Part[] }
  /** The parts of the id. */
  ids: Part[][]
}

/** @throws ServiceError `invalid` */
function parseKind(kind: BodyKind): ParsedKind {
  const parts: Record<string, Part[]> = {}
  for (const [member, text] of Object.entries(kind)) if (typeof text === 'string') parts[member] = parseExpression(text, member)
  const ids = (kind.deployment ?? '').match(/(?:\{[^{}]*\}|[^/])+/g) ?? []
  return { kind, parts, ids: ids.map((id) => parseExpression(id, 'deployment')) }
}

/** A body that has not what the mapping asks for is ignored with the reason: not each request of a program tells of a deployment. */
function readMapped({ kind, parts, ids }: ParsedKind, sent: Sent, nowMs: number): WebhookContent {
  if (kind.ignored !== undefined) return { ignored: kind.ignored }
  const of = (member: keyof BodyKind) => parts[member] && evaluate(parts[member], sent)
  // An id of which a part is missing would be that of other deployments too.
  const id = ids.flatMap((part) => evaluate(part, sent, true) ?? [])
  if (id.length < ids.length) return { ignored: `the body has no ${kind.deployment}, which names the deployment` }
  const word = kind.state === undefined ? 'succeeded' : of('state')
  if (word === undefined) return { ignored: `the body has no ${kind.state}, which says the state` }
  const action = textOf(memberAt(kind.actions, word.toLowerCase()))
  const state = action ? 'succeeded' : stateOf(word, kind.states)
  if (!state) return { ignored: kind.unknownState ?? `the state ${quoted(word)} gets no annotation` }
  if (kind.otherwise !== undefined && of('same') !== of('as')) return { ignored: kind.otherwise }
  const isBeginning = state === 'queued' || state === 'started'
  const [time, startedNs] = [of('time'), instantOf(of('start'))]
  const toldNs = instantOf(time)
  if (time !== undefined && toldNs === undefined) return { ignored: `the time ${quoted(time)} cannot be read` }
  const fact = (member: keyof BodyKind) => textOf(of(member))
  const [environment = '', description, sequence] = [fact('environment'), of('description'), Number(of('sequence'))]
  return {
    event: {
      deployment: joinId(...id),
      state,
      atNs: toldNs ?? (isBeginning ? startedNs : undefined) ?? instantOfMs(nowMs),
      sequence: Number.isSafeInteger(sequence) ? sequence : undefined,
      // Without a time it is when the first word of it arrives: a repeat arrives later, and does not count.
      isImplied: (!isBeginning && (toldNs === undefined || (state === 'succeeded' && kind.isSuccessRepeated))) || undefined,
      queuedNs: instantOf(of('queued')),
      startedNs: state === 'queued' ? undefined : startedNs,
      message: isBeginning ? undefined : (textOf(description) ?? (state === 'failed' ? fact('failure') : undefined)),
      facts: {
        kind: kind.kind,
        action,
        title: fact('title'),
        project: fact('project'),
        environment: environment || undefined,
        version: shortCommit(fact('version') ?? fact('versionElse')),
        branch: fact('branch'),
        commit: shortCommit(fact('commit')),
        by: fact('by'),
        change: firstLine(of('change') ?? (isBeginning ? description : undefined)),
        url: urlOf(of('url')) ?? urlOf(of('urlElse')),
      },
      environments: kind.alias === undefined ? [environment] : [environment, fact('alias') ?? ''],
    },
  }
}

/** What the words of a deployment usually mean besides those of jobs, whatever their case. */
const USUAL_STATES: readonly [RegExp, DeploymentState][] = [
  [/^(?:queued|pending|waiting|scheduled|created)$/, 'queued'],
  [/^(?:start(?:ed|ing)?|running|in[ _-]?progress|deploying|building)$/, 'started'],
  [/^(?:succesful|finished|done)$/, 'succeeded'],
  [/^skipped$/, 'canceled'],
]
/** A job that was skipped for another reason has not deployed anything, nor begun to. */
const ENDS: Readonly<Record<JobResult, Outcome | undefined>> = {
  success: 'succeeded',
  failure: 'failed',
  canceled: 'canceled',
  skipped: undefined,
}

/** @param states the meaning of other words, or another one; `undefined` if it gets no annotation */
function stateOf(word: unknown, states: IntegrationMapping['states'] = {}): DeploymentState | undefined {
  const name = typeof word === 'string' ? word.trim().toLowerCase() : ''
  const own = Object.entries(states).find(([key]) => key.toLowerCase() === name)?.[1]
  if (own === 'ignored') return undefined
  const usual = USUAL_STATES.find(([pattern]) => pattern.test(name))?.[1]
  const result = jobResultOf(name)
  return (own as DeploymentState | undefined) ?? usual ?? (result && ENDS[result])
}

/** A time as text, or a number of seconds, milliseconds, microseconds or nanoseconds. */
function instantOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const ns = parseEpoch(text)
  return ns !== undefined && isStorable(ns) ? ns : timeOf(text)
}

/** @returns the text; `undefined` where none of its placeholders stands for anything or, with `needsAll`, one of them does not */
function evaluate(parts: readonly Part[], sent: Sent, needsAll = false): string | undefined {
  const values = parts.map((part) =>
    typeof part === 'string'
      ? part
      : part.reduce<string | undefined>((first, one) => first ?? alternativeOf(one, sent), undefined),
  )
  const hasFound = parts.some((part, at) => typeof part !== 'string' && values[at] !== undefined)
  const text = values.join('').trim()
  return text === '' || (values.includes(undefined) && (needsAll || !hasFound)) ? undefined : text
}

function alternativeOf(one: Alternative, sent: Sent): string | undefined {
  if ('text' in one) return one.text
  const value = textAt(sent, one.path)
  if (value === undefined) return undefined
  if (one.pattern !== undefined) return partOf(value, one.pattern)
  if (one.isVersion) return versionIn(value)
  return one.plus ? laterBy(value, textAt(sent, one.plus)) : value
}

/** An expression may ask for members many times over; so much of a list is searched, and of a text taken, in items and characters. */
const ITEMS_SEARCHED_MAX = 1_000
const TEXT_LENGTH_MAX = 4_096

/** @returns the text, number or truth value at the end of the path; `undefined` where there is none */
function textAt(value: unknown, path: readonly Step[]): string | undefined {
  let at = value
  for (const step of path) at = typeof step === 'string' ? memberAt(at, step) : itemOf(at, step)
  const isScalar = ['string', 'number', 'boolean'].includes(typeof at)
  const text = isScalar ? String(at).slice(0, TEXT_LENGTH_MAX) : ''
  return text.trim() === '' ? undefined : text
}

function itemOf(list: unknown, { member, value }: Exclude<Step, string>): unknown {
  const items: unknown[] = Array.isArray(list) ? list.slice(0, ITEMS_SEARCHED_MAX) : []
  return items.find((item) => textAt(item, [member]) === value)
}

/** @returns what `(*)` stands for in the text, or all of it if the pattern has none */
function partOf(text: string, pattern: string): string | undefined {
  const [before = '', after] = pattern.split('(*)')
  const stars = matchGlob(pattern.replace('(*)', '*'), text)
  return (after === undefined ? stars && text : stars?.[before.split('*').length - 1]) || undefined
}

/** @returns the time so many milliseconds later; `undefined` where they are not above 0, as long as something goes on */
function laterBy(time: string, milliseconds: string | undefined): string | undefined {
  const [startNs, ms] = [instantOf(time), Number(milliseconds)]
  if (startNs === undefined || !(ms > 0 && ms <= Number.MAX_SAFE_INTEGER)) return undefined
  const ns = startNs + instantOfMs(ms)
  return isStorable(ns) ? formatTimestamp(ns) : undefined
}
