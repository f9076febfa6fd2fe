/** Notifiers in words, and as the texts of their form. */
import type {
  Notifier,
  NotifierDelivery,
  NotifierEvent,
  NotifierKind,
  NotifierProperties,
} from '@deployment-annotations/contract/notifier'
import { splitNames } from '../parts/split-names.ts'
import type { Sign } from '../resources/resource.ts'

export const KIND_NAMES: Readonly<Record<NotifierKind, string>> = {
  slack: 'Slack',
  microsoftTeams: 'Microsoft Teams',
  email: 'Email',
  webhook: 'Webhook',
  customWebhook: 'Webhook with a body of your own',
  discordWebhook: 'Discord',
  discord: 'Discord bot',
  pagerduty: 'PagerDuty',
  opsgenie: 'Opsgenie',
}

export const EVENT_NAMES: Readonly<Record<NotifierEvent, string>> = {
  verdict: 'releases that are judged worse',
  failure: 'deployments and jobs that failed',
  monitor: 'any monitor that triggers',
}

interface Target {
  label: string
  member: string
  /** Whether it is a key, which is not shown while it is typed. */
  isKey: boolean
}

/** The kinds that the form offers, each with the one member that it needs; the others are created over HTTP. */
const FIELDS: Partial<Record<NotifierKind, Target>> = {
  slack: { label: 'Webhook URL', member: 'slackUrl', isKey: false },
  microsoftTeams: { label: 'URL of the workflow', member: 'microsoftTeamsUrl', isKey: false },
  email: { label: 'Addresses, separated by commas', member: 'emails', isKey: false },
  webhook: { label: 'URL', member: 'url', isKey: false },
  discordWebhook: { label: 'Webhook URL', member: 'discordWebhookUrl', isKey: false },
  pagerduty: { label: 'Routing key', member: 'routingKey', isKey: true },
  opsgenie: { label: 'API key', member: 'apiKey', isKey: true },
}
export const OFFERED = Object.keys(FIELDS) as NotifierKind[]

export function fieldOf(kind: string | undefined): Target {
  return FIELDS[kind as NotifierKind] ?? { label: '', member: '', isKey: false }
}

export function propertiesOf(kind: string | undefined, text: string): NotifierProperties {
  const value = kind === 'email' ? splitNames(text) : text.trim()
  return { [kind ?? '']: { [fieldOf(kind).member]: value } }
}

export function kindOf({ properties }: Notifier): NotifierKind | undefined {
  return Object.keys(properties)[0] as NotifierKind | undefined
}

/** @returns what a person may see of where it sends */
export function describeTarget({ properties }: Notifier): string {
  const texts = Object.values(properties).flatMap((members) => Object.values(members as object))
  return texts
    .flat()
    .filter((text) => typeof text === 'string')
    .join(', ')
}

export function describeEvents({ events, datasets, types }: Notifier): string {
  const about = ['monitors that name it', ...events.map((event) => EVENT_NAMES[event])]
  const where = datasets.length === 0 ? '' : `, on ${datasets.join(', ')}`
  const which = types.length === 0 ? '' : `, of types with ${types.join(' or ')}`
  return `${about.join(', ')}${where}${which}`
}

export const STATES: Readonly<Record<NotifierDelivery['state'], Sign>> = {
  delivered: { sign: '✓', words: 'delivered', tone: 'good' },
  waiting: { sign: '…', words: 'waits' },
  failed: { sign: '✕', words: 'failed', tone: 'bad' },
  skipped: { sign: '–', words: 'skipped: disabled' },
}
