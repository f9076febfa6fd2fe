/** Notifiers in words, and as the texts of their form. */
import type { NotifierEvent, NotifierKind } from '@deployment-annotations/contract/notifier'
import type { Notifier, NotifierDelivery, NotifierProperties } from '@deployment-annotations/contract/schemas/notifier'

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
  verdict: 'a release is judged worse',
  failure: 'a deployment or job failed',
  monitor: 'any monitor triggers',
}

/** The kinds that the form offers, each with its one field; the others are made over HTTP. */
export const FIELDS = {
  slack: { label: 'Webhook URL', member: 'slackUrl', type: 'text' },
  microsoftTeams: { label: 'URL of the workflow', member: 'microsoftTeamsUrl', type: 'text' },
  email: { label: 'Addresses, separated by commas', member: 'emails', type: 'text' },
  webhook: { label: 'URL', member: 'url', type: 'text' },
  discordWebhook: { label: 'Webhook URL', member: 'discordWebhookUrl', type: 'text' },
  pagerduty: { label: 'Routing key', member: 'routingKey', type: 'password' },
  opsgenie: { label: 'API key', member: 'apiKey', type: 'password' },
} as const satisfies Partial<Record<NotifierKind, { label: string; member: string; type: string }>>
export type OfferedKind = keyof typeof FIELDS
export const OFFERED = Object.keys(FIELDS) as OfferedKind[]

export function propertiesOf(kind: OfferedKind, text: string): NotifierProperties {
  const { member } = FIELDS[kind]
  const value = kind === 'email' ? text.split(',').map((address) => address.trim()) : text.trim()
  return { [kind]: { [member]: value } }
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
  const told = ['a monitor that names it triggers', ...events.map((event) => EVENT_NAMES[event])]
  const where = datasets.length === 0 ? '' : `, on ${datasets.join(', ')}`
  const which = types.length === 0 ? '' : `, of types with ${types.join(' or ')}`
  return `${told.join(', or ')}${where}${which}`
}

export const STATES: Readonly<Record<NotifierDelivery['state'], { sign: string; words: string }>> = {
  delivered: { sign: '✓', words: 'delivered' },
  waiting: { sign: '…', words: 'waits' },
  failed: { sign: '✕', words: 'failed' },
  skipped: { sign: '–', words: 'skipped: disabled' },
}
