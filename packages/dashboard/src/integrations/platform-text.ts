/** Texts about the hosting platforms, and the lines of an integration's form that stand for a rule or a member. */
import {
  type Delivery,
  type IntegrationMapping,
  type IntegrationRule,
  webhookPath,
} from '@deployment-annotations/contract/integration'
import type { PlatformName } from '@deployment-annotations/contract/platform'
import { splitNames } from '../parts/split-names.ts'
import type { Sign } from '../resources/resource.ts'

/** @returns the address to which the platform sends its webhooks */
export function webhookUrl(origin: string, platform: PlatformName, id?: string): string {
  return origin + webhookPath(platform, id)
}

/** @returns the lines of a script, for a shell with curl and openssl */
export function scriptLines(origin: string, id?: string): string {
  return `mark() {
  body=$(printf '{"deployment":"%s","status":"%s","time":"%s","project":"shop","environment":"production","version":"%s"}' \\
    "$DEPLOYMENT" "$1" "$(date -u +%FT%TZ)" "$VERSION")
  signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/.* //')
  curl -sS --fail-with-body ${webhookUrl(origin, 'generic', id)} \\
    -H 'Content-Type: application/json' -H "X-Signature-256: sha256=$signature" -d "$body"
}

mark started
./deploy.sh && mark succeeded || mark failed`
}

export const OUTCOMES: Readonly<Record<Delivery['outcome'], Sign>> = {
  created: { sign: '✓', words: 'Marked', tone: 'good' },
  changed: { sign: '✓', words: 'Changed the annotation', tone: 'good' },
  unchanged: { sign: '=', words: 'Nothing new' },
  ignored: { sign: '–', words: 'Not marked' },
  refused: { sign: '✕', words: 'Refused', tone: 'bad' },
}

/** @returns such as `deployments to production`, `all deployments` */
export function describeEnvironments(environments: readonly string[]): string {
  return environments.length === 0 ? 'all deployments' : `deployments to ${environments.join(', ')}`
}

/** @returns the rule as a line of the form; an empty part stands for any, and a trailing one is left out */
export function writeRule({ projects = [], environments = [], datasets, type = '' }: IntegrationRule): string {
  return [projects.join(', '), environments.join(', '), datasets.join(', '), type].join(' | ').replace(/ \| $/, '')
}

/** Reads `repository | environment | datasets | type`, one rule a line. @throws Error that names the line with a wrong number of parts */
export function readRules(text: string): IntegrationRule[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const parts = line.split('|').map((part) => part.trim())
    if (parts.length < 3 || parts.length > 4)
      throw new Error(`A rule is “repository | environment | datasets | type”, got “${line.trim()}”.`)
    const [projects = '', environments = '', datasets = '', type = ''] = parts
    return {
      ...(projects !== '' && { projects: splitNames(projects) }),
      ...(environments !== '' && { environments: splitNames(environments) }),
      datasets: splitNames(datasets),
      ...(type !== '' && { type }),
    }
  })
}

export const MAPPING_EXAMPLE = `deployment: {run.id}
state: {run.status}
state: DONE = succeeded
time: {run.finished_at}
version: {run.tag|run.sha}`

export function writeMapping({ states = {}, ...expressions }: IntegrationMapping): string {
  const members = Object.entries(expressions).map(([member, expression]) => `${member}: ${expression}`)
  return [...members, ...Object.entries(states).map(([word, state]) => `state: ${word} = ${state}`)].join('\n')
}

/** Reads `member: expression`, one a line, and `state: WORD = state`. @throws Error that names a line of another form */
export function readMapping(text: string): IntegrationMapping | undefined {
  const members: Record<string, string> = {}
  const states: Record<string, string> = {}
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, member, expression] = /^(\w+)\s*:\s*(\S.*)$/.exec(line.trim()) ?? []
    if (member === undefined || expression === undefined) throw new Error(`A line is “member: {path}”, got “${line.trim()}”.`)
    const [, word, state] = member === 'state' ? (/^([^{}=]*[^{}=\s])\s*=\s*(\w+)$/.exec(expression) ?? []) : []
    if (word !== undefined && state !== undefined) states[word] = state
    else members[member] = expression
  }
  if (Object.keys(members).length === 0 && Object.keys(states).length === 0) return undefined
  // The service says which of them there are.
  return { ...members, ...(Object.keys(states).length > 0 && { states }) } as IntegrationMapping
}
