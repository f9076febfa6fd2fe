/**
 * Reads any JSON body by the expressions of an integration, which integrations/mapping-expression.ts explains.
 */

import { parseEpoch } from '@deployment-annotations/contract/epoch'
import type { IntegrationMapping } from '@deployment-annotations/contract/schemas/integration'
import { isStorable } from '@deployment-annotations/contract/timestamp'
import { quoted } from '@deployment-annotations/runtime/errors'
import { type Part, parseExpression } from '../integrations/mapping-expression.ts'
import type { DeploymentState, WebhookContent } from './deployment-event.ts'
import { firstLine, instantOfMs, joinId, memberAt, shortCommit, textOf, timeOf, urlOf } from './payload.ts'

/** What the words of a state usually mean, whatever their case; `states` of the mapping says it of others. */
const USUAL_STATES: readonly [RegExp, DeploymentState][] = [
  [/^(?:queued|pending|waiting|scheduled|created)$/, 'queued'],
  [/^(?:start(?:ed|ing)?|running|in[ _-]?progress|deploying|building)$/, 'started'],
  [/^(?:succe(?:ss|ss?ful|eded)|ok|passed|finished|completed?|deployed|done|ready|true)$/, 'succeeded'],
  [/^(?:fail(?:ed|ure)?|error(?:ed)?|broken|false)$/, 'failed'],
  [/^(?:cancel(?:l?ed)?|abort(?:ed)?|skipped|stopped)$/, 'canceled'],
]

/** A body that has not what the mapping asks for is ignored with the reason: not each request of a program tells of a deployment. */
export function readMapped(payload: unknown, mapping: IntegrationMapping, nowMs: number): WebhookContent {
  const of = (member: Exclude<keyof IntegrationMapping, 'states'>) => {
    const expression = mapping[member]
    // An id of which a part is missing would be that of other deployments too.
    return expression === undefined ? undefined : evaluate(parseExpression(expression, member), payload, member === 'deployment')
  }
  const deployment = of('deployment')
  if (deployment === undefined) return { ignored: `the body has no ${mapping.deployment}, which names the deployment` }
  const word = mapping.state === undefined ? 'succeeded' : of('state')
  if (word === undefined) return { ignored: `the body has no ${mapping.state}, which says the state` }
  const state = stateOf(word, mapping.states)
  if (!state) return { ignored: `the state ${quoted(word)} is none that is marked` }
  const startedNs = instantOf(of('start'))
  const time = of('time')
  const toldNs = instantOf(time)
  if (time !== undefined && toldNs === undefined) return { ignored: `the time ${quoted(time)} cannot be read` }
  const environment = textOf(of('environment'))
  const description = textOf(of('description'))
  const isBeginning = state === 'queued' || state === 'started'
  const atNs = toldNs ?? (isBeginning ? startedNs : undefined) ?? instantOfMs(nowMs)
  return {
    event: {
      deployment: joinId(deployment),
      state,
      atNs,
      // Without a time it is when the first word of it arrives: a repeat arrives later, and does not count.
      ...(!isBeginning && toldNs === undefined && { isImplied: true }),
      ...(startedNs !== undefined && { startedNs }),
      ...(!isBeginning && description !== undefined && { message: description }),
      facts: {
        title: textOf(of('title')),
        project: textOf(of('project')),
        environment,
        version: textOf(of('version')),
        branch: textOf(of('branch')),
        commit: shortCommit(textOf(of('commit'))),
        by: textOf(of('by')),
        ...(isBeginning && { change: firstLine(description) }),
        url: urlOf(of('url')),
      },
      environments: [environment ?? ''],
    },
  }
}

function stateOf(word: string, states: IntegrationMapping['states']): DeploymentState | undefined {
  const name = word.trim().toLowerCase()
  const own = Object.entries(states ?? {}).find(([key]) => key.toLowerCase() === name)?.[1]
  if (own === 'ignored') return undefined
  return (own as DeploymentState | undefined) ?? USUAL_STATES.find(([pattern]) => pattern.test(name))?.[1]
}

/** A time as text, or a number of seconds, milliseconds, microseconds or nanoseconds. */
function instantOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const ns = parseEpoch(text)
  return ns !== undefined && isStorable(ns) ? ns : timeOf(text)
}

/** @returns the text; `undefined` where none of its placeholders stands for anything or, with `needsAll`, one of them does not */
function evaluate(parts: readonly Part[], payload: unknown, needsAll: boolean): string | undefined {
  let text = ''
  let [found, missing] = [0, 0]
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const values = part.map((one) => ('text' in one ? one.text : scalarOf(memberAt(payload, ...one))))
    const value = values.find((one) => one !== undefined)
    if (value === undefined) missing++
    else found++
    text += value ?? ''
  }
  const isEmpty = missing > 0 && (needsAll || found === 0)
  return isEmpty || text.trim() === '' ? undefined : text.trim()
}

function scalarOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
