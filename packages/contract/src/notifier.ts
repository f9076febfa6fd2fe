/**
 * Notifiers: paths, closed lists, patterns and bounds. The first kinds are those of the hosted service, in its words; the others, and what
 * a notifier is told besides monitors, are specific to this service. The shapes are in schemas/notifier.ts.
 */
import { toSegment } from './text.ts'

export const NOTIFIERS_PATH = '/v2/notifiers'

/** @returns the path of one notifier, its id escaped */
export function notifierPath(id: string): string {
  return `${NOTIFIERS_PATH}/${toSegment(id)}`
}

/** @returns where its last messages are listed */
export function notifierDeliveriesPath(id: string): string {
  return `${notifierPath(id)}/deliveries`
}

/** @returns where a message is sent to try it */
export function notifierTestPath(id: string): string {
  return `${notifierPath(id)}/test`
}

/** @returns where it gets another signing secret */
export function notifierSecretPath(id: string): string {
  return `${notifierPath(id)}/regenerate`
}

export const NOTIFIER_ID_PATTERN = /^ntf_[A-Za-z0-9_-]{1,64}$/

/**
 * - `verdict`: a release is judged worse, or not worse any more
 * - `failure`: an annotation says that its job or deployment failed, or that it succeeded after all
 * - `monitor`: any monitor triggers or recovers; a monitor that names the notifier tells it without this
 */
export const NOTIFIER_EVENTS = ['verdict', 'failure', 'monitor'] as const
export type NotifierEvent = (typeof NOTIFIER_EVENTS)[number]

/** The member of `properties` that says how a message is sent. */
export const NOTIFIER_KINDS = [
  'slack',
  'microsoftTeams',
  'email',
  'webhook',
  'customWebhook',
  'discordWebhook',
  'discord',
  'pagerduty',
  'opsgenie',
] as const
export type NotifierKind = (typeof NOTIFIER_KINDS)[number]

/** Kinds whose messages are signed with a secret of the notifier. */
export const SIGNED_KINDS: ReadonlySet<string> = new Set<NotifierKind>(['webhook', 'customWebhook'])

/** What became of a message; `skipped`: the notifier was disabled then. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'skipped'] as const

export const NOTIFIERS_MAX = 100
export const NOTIFIER_NAME_POINTS_MAX = 256
/** How many datasets, types or addresses one notifier can have. */
export const NOTIFIER_ITEMS_MAX = 100
/** The longest address, key or header. */
export const NOTIFIER_TEXT_MAX = 2_048
export const NOTIFIER_BODY_MAX = 16_384
/** Stands in answers for what is secret. */
export const NOT_SHOWN = '…'
