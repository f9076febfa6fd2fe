/** Texts about the hosting platforms, and the texts of an integration's form. */
import {
  DEFAULT_ENVIRONMENTS,
  INTEGRATION_TITLE_DEFAULT,
  INTEGRATION_TYPE_DEFAULT,
  type PlatformName,
  WEBHOOKS_PATH,
} from '@deployment-annotations/contract/integration'
import type {
  Delivery,
  Integration,
  IntegrationChange,
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
export function webhookUrl(origin: string, platform: PlatformName): string {
  return `${origin}${WEBHOOKS_PATH}/${platform}`
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
export function scriptLines(origin: string): string {
  return `mark() {
  body=$(printf '{"deployment":"%s","status":"%s","time":"%s","project":"shop","environment":"production","version":"%s"}' \\
    "$DEPLOYMENT" "$1" "$(date -u +%FT%TZ)" "$VERSION")
  signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/.* //')
  curl -sS --fail-with-body ${webhookUrl(origin, 'generic')} \\
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
  secret: '',
}

export function textsOf({ platform, name, datasets, type, title, environments }: Integration): SettingTexts {
  return { platform, name, datasets: datasets.join(', '), type, title, environments: environments.join(', '), secret: '' }
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

function settingsOf({ name, datasets, type, title, environments }: Omit<SettingTexts, 'platform' | 'secret'>) {
  return { name: name.trim(), datasets: splitNames(datasets), type, title, environments: splitNames(environments) }
}
