/** Texts about the hosting platforms, and the texts of an integration's form. */
import { INTEGRATION_TITLE_DEFAULT, INTEGRATION_TYPE_DEFAULT, webhookPath } from '@deployment-annotations/contract/integration'
import { type PlatformName, platformRow } from '@deployment-annotations/contract/platform'
import type {
  Delivery,
  Integration,
  IntegrationChange,
  IntegrationMapping,
  IntegrationRule,
  NewIntegration,
} from '@deployment-annotations/contract/schemas/integration'
import { splitNames } from '../parts/split-names.ts'

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

/** The sign repeats the words, for people who scan a long list. */
export const OUTCOMES: Readonly<Record<Delivery['outcome'], { sign: string; words: string }>> = {
  created: { sign: '✓', words: 'Marked' },
  changed: { sign: '✓', words: 'Changed the mark' },
  unchanged: { sign: '=', words: 'Nothing new' },
  ignored: { sign: '–', words: 'Not marked' },
  refused: { sign: '✕', words: 'Refused' },
}

/** @returns such as `deployments to production`, `all deployments` */
export function describeEnvironments(environments: readonly string[]): string {
  return environments.length === 0 ? 'all deployments' : `deployments to ${environments.join(', ')}`
}

export interface SettingTexts {
  platform: PlatformName
  name: string
  /** Separated by commas. */
  datasets: string
  type: string
  title: string
  /** Separated by commas; empty for all. */
  environments: string
  /** One a line, see readRules. */
  rules: string
  /** A member a line, see readMapping; empty for none. */
  mapping: string
  /** The secret of a new integration; empty if the service is to generate it. */
  secret: string
}

export const NEW_TEXTS: SettingTexts = {
  platform: 'github',
  name: '',
  datasets: '',
  type: INTEGRATION_TYPE_DEFAULT,
  title: INTEGRATION_TITLE_DEFAULT,
  environments: platformRow('github').environments.join(', '),
  rules: '',
  mapping: '',
  secret: '',
}

export function textsOf({ platform, name, datasets, type, title, environments, rules, mapping }: Integration): SettingTexts {
  const lists = { datasets: datasets.join(', '), environments: environments.join(', '), rules: rules.map(writeRule).join('\n') }
  return { platform, name, type, title, ...lists, mapping: mapping ? writeMapping(mapping) : '', secret: '' }
}

/** @returns the rule as a line of the form; an empty part stands for any, and a trailing one is left out */
export function writeRule({ projects = [], environments = [], datasets, type = '' }: IntegrationRule): string {
  return [projects.join(', '), environments.join(', '), datasets.join(', '), type].join(' | ').replace(/ \| $/, '')
}

/** Reads `repository | environment | datasets | type`, one rule a line. @throws Error that names the line with a wrong number of parts */
function readRules(text: string): IntegrationRule[] {
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

function writeMapping({ states = {}, ...expressions }: IntegrationMapping): string {
  const members = Object.entries(expressions).map(([member, expression]) => `${member}: ${expression}`)
  return [...members, ...Object.entries(states).map(([word, state]) => `state: ${word} = ${state}`)].join('\n')
}

/** Reads `member: expression`, one a line, and `state: WORD = state`. @throws Error that names a line of another form */
export function readMapping(text: string): IntegrationMapping | undefined {
  const members: Record<string, string> = {}
  const states: Record<string, string> = {}
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, member, expression] = /^\s*(\w+)\s*:\s*(.+?)\s*$/.exec(line) ?? []
    if (member === undefined || expression === undefined) throw new Error(`A line is “member: {path}”, got “${line.trim()}”.`)
    const [, word, state] = member === 'state' ? (/^([^{}=]+?)\s*=\s*(\w+)$/.exec(expression) ?? []) : []
    if (word !== undefined && state !== undefined) states[word] = state
    else members[member] = expression
  }
  if (Object.keys(members).length === 0 && Object.keys(states).length === 0) return undefined
  // The service says which of them there are.
  return { ...members, ...(Object.keys(states).length > 0 && { states }) } as IntegrationMapping
}

/** @returns the texts with the default environments of another platform, unless others were typed */
export function withPlatform(texts: SettingTexts, platform: PlatformName): SettingTexts {
  const isDefault = texts.environments === platformRow(texts.platform).environments.join(', ')
  const mapping = platform === 'generic' ? texts.mapping : ''
  return { ...texts, platform, mapping, ...(isDefault && { environments: platformRow(platform).environments.join(', ') }) }
}

/** @returns the members of a new integration */
export function integrationOf({ platform, secret, ...texts }: SettingTexts): NewIntegration {
  const { name, ...settings } = settingsOf(texts)
  return { platform, ...settings, ...(name !== '' && { name }), ...(secret !== '' && { secret }) }
}

/** @returns only the members that were edited, so that another person's change is not undone */
export function changeOf(before: SettingTexts, texts: SettingTexts): IntegrationChange {
  const members: [string, unknown][] = Object.entries(settingsOf(texts))
  // Without one, bodies are in the form of the script again.
  if (texts.mapping !== before.mapping && texts.mapping.trim() === '') members.push(['mapping', null])
  return Object.fromEntries(members.filter(([name]) => texts[name as keyof SettingTexts] !== before[name as keyof SettingTexts]))
}

function settingsOf({ name, datasets, type, title, environments, rules, mapping }: Omit<SettingTexts, 'platform' | 'secret'>) {
  const lists = { datasets: splitNames(datasets), environments: splitNames(environments), rules: readRules(rules) }
  const read = readMapping(mapping)
  return { name: name.trim(), type, title, ...lists, ...(read && { mapping: read }) }
}
