/** Texts about the hosting platforms, and the texts of an integration's form. */
import {
  DEFAULT_ENVIRONMENTS,
  INTEGRATION_TITLE_DEFAULT,
  INTEGRATION_TYPE_DEFAULT,
  type PlatformName,
  webhookPath,
} from '@deployment-annotations/contract/integration'
import type {
  Delivery,
  Integration,
  IntegrationChange,
  IntegrationRule,
  NewIntegration,
} from '@deployment-annotations/contract/schemas/integration'
import { splitNames } from '../parts/split-names.ts'

export const PLATFORM_NAMES: Readonly<Record<PlatformName, string>> = {
  github: 'GitHub',
  vercel: 'Vercel',
  netlify: 'Netlify',
  generic: 'A script of your own',
}

/** @returns the address to which the platform sends its webhooks */
export function webhookUrl(origin: string, platform: PlatformName, id?: string): string {
  return origin + webhookPath(platform, id)
}

/** The steps for a person on the platform, in order; the address and the secret are shown beside them. */
export const STEPS: Readonly<Record<PlatformName, readonly string[]>> = {
  github: [
    'In the repository, or in the organization for all of its repositories, open Settings → Webhooks → Add webhook.',
    'Enter the address as the payload URL, the content type application/json, and the secret.',
    'Choose “Let me select individual events”, and select Deployments and Deployment statuses, nothing else.',
    'Click “Add webhook”: GitHub sends a ping, which appears here as a delivery that is not marked.',
  ],
  vercel: [
    'In the team, open Settings → Webhooks.',
    'Select the events Deployment Created, Deployment Succeeded, Deployment Error and Deployment Cancelled, and your projects.',
    'Enter the address as the endpoint, and click “Create Webhook”.',
    'Vercel shows the secret once: this integration has it from the form.',
  ],
  netlify: [
    'In the project, open Project configuration → Notifications → Deploy notifications → Add notification → HTTP POST request.',
    'Do this once for each of the events Deploy started, Deploy succeeded and Deploy failed.',
    'Enter the address as the URL to notify, and the secret as “JWS secret token”: without it Netlify does not sign.',
  ],
  generic: ['Put the secret where your script finds it as SECRET, set DEPLOYMENT and VERSION, and write around what deploys:'],
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
  /** The secret of a new integration; empty if the service is to generate it. */
  secret: string
}

export const NEW_TEXTS: SettingTexts = {
  platform: 'github',
  name: '',
  datasets: '',
  type: INTEGRATION_TYPE_DEFAULT,
  title: INTEGRATION_TITLE_DEFAULT,
  environments: DEFAULT_ENVIRONMENTS.github.join(', '),
  rules: '',
  secret: '',
}

export function textsOf({ platform, name, datasets, type, title, environments, rules }: Integration): SettingTexts {
  const lists = { datasets: datasets.join(', '), environments: environments.join(', '), rules: rules.map(writeRule).join('\n') }
  return { platform, name, type, title, ...lists, secret: '' }
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

/** @returns the texts with the default environments of another platform, unless others were typed */
export function withPlatform(texts: SettingTexts, platform: PlatformName): SettingTexts {
  const isDefault = texts.environments === DEFAULT_ENVIRONMENTS[texts.platform].join(', ')
  return { ...texts, platform, ...(isDefault && { environments: DEFAULT_ENVIRONMENTS[platform].join(', ') }) }
}

/** @returns the members of a new integration */
export function integrationOf({ platform, secret, ...texts }: SettingTexts): NewIntegration {
  const { name, ...settings } = settingsOf(texts)
  return { platform, ...settings, ...(name !== '' && { name }), ...(secret !== '' && { secret }) }
}

/** @returns only the members that were edited, so that another person's change is not undone */
export function changeOf(before: SettingTexts, texts: SettingTexts): IntegrationChange {
  const members = Object.entries(settingsOf(texts))
  return Object.fromEntries(members.filter(([name]) => texts[name as keyof SettingTexts] !== before[name as keyof SettingTexts]))
}

function settingsOf({ name, datasets, type, title, environments, rules }: Omit<SettingTexts, 'platform' | 'secret'>) {
  const lists = { datasets: splitNames(datasets), environments: splitNames(environments), rules: readRules(rules) }
  return { name: name.trim(), type, title, ...lists }
}
