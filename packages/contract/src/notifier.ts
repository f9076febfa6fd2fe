/**
 * Notifiers: where messages about verdicts, failures and monitors are sent. The first kinds are those of the hosted service, in its words;
 * the others, and what a notifier is told besides monitors, are specific to this service. What is secret in `properties` is answered only
 * to the token that sent it.
 */
import { type Calls, callsOn } from './call.ts'
import { ANSWERED_DATASET_NAME, DATASET_NAME } from './dataset-name.ts'
import { operations } from './operation.ts'
import {
  anyOf,
  closed,
  flag,
  type Infer,
  list as listOf,
  oneOf,
  optional,
  record,
  requestBody,
  type Schema,
  SECRET_KEYWORD,
  schemaOf,
  sent,
  text,
  time,
  titled,
  whole,
} from './schema.ts'

const NOTIFIER_ID_PATTERN = /^ntf_[A-Za-z0-9_-]{1,64}$/

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

export const NOTIFIER_NAME_POINTS_MAX = 256
/** How many datasets, types or addresses one notifier can have. */
const NOTIFIER_ITEMS_MAX = 100
/** The longest address, key or header. */
const NOTIFIER_TEXT_MAX = 2_048
const NOTIFIER_BODY_MAX = 16_384
/** Stands in answers for what is secret. */
export const NOT_SHOWN = '…'

/** The list has each with its last message. After a delete, messages that wait are not delivered any more. */
export const NOTIFIER_CALLS = {
  ...callsOn('/v2/notifiers'),
  /** Its last messages and what became of them, the newest first. Specific to our service, as the next calls are. */
  deliveries: { call: 'GET /v2/notifiers/{id}/deliveries', list: 'id' },
  /** Sends a message that says that it is a test, and waits for what becomes of it. */
  test: { call: 'POST /v2/notifiers/{id}/test', one: 'id', isSentOnce: true },
  /** Signs webhooks with a new secret, at once; not sent again where its answer is lost. */
  regenerate: { call: 'POST /v2/notifiers/{id}/regenerate', one: 'id', isSentOnce: true },
} as const satisfies Calls

const secret = (description: string, keywords: object = {}) =>
  text(description, { ...SECRET_KEYWORD, minLength: 1, maxLength: NOTIFIER_TEXT_MAX, ...keywords })
const url = (description = 'Where to send; http or https.') => secret(description, { documented: { pattern: '^https?://.' } })

const PROPERTIES = {
  slack: closed({ slackUrl: url('An incoming webhook of Slack, or of whoever takes its bodies.') }),
  microsoftTeams: closed({ microsoftTeamsUrl: url('A webhook of a Teams workflow, which takes Adaptive Cards.') }),
  email: closed({
    emails: listOf(text('', { minLength: 3, maxLength: 320, documented: { pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+$' } }), '', {
      minItems: 1,
      maxItems: NOTIFIER_ITEMS_MAX,
    }),
  }),
  webhook: closed({ url: url() }),
  customWebhook: closed({
    url: url(),
    ...optional({
      headers: record(text('', { ...SECRET_KEYWORD, maxLength: NOTIFIER_TEXT_MAX })),
      body: text('A template with `{{.Title}}` and the like; by default what `webhook` sends.', {
        ...SECRET_KEYWORD,
        maxLength: NOTIFIER_BODY_MAX,
      }),
    }),
  }),
  discordWebhook: closed({ discordWebhookUrl: url() }),
  discord: closed({ discordChannel: text('', { pattern: '^[0-9]{1,32}$' }), discordToken: secret('Of a bot.') }),
  pagerduty: closed({
    routingKey: secret('Of an integration for Events API v2.'),
    ...optional({ token: text('', SECRET_KEYWORD) }),
  }),
  opsgenie: closed({ apiKey: secret('Of an API integration.'), ...optional({ isEU: flag() }) }),
} as const satisfies Record<NotifierKind, Schema>

const SENT_PROPERTIES = closed(optional(PROPERTIES), {
  description: 'Just one member, which says how messages are sent.',
  documented: { minProperties: 1, maxProperties: 1 },
})
/** In answers secrets may be missing or replaced, so the rules for what is sent do not hold. */
const SHOWN_PROPERTIES = schemaOf<NotifierProperties>({
  type: 'object',
  additionalProperties: true,
  description: 'As sent to the token that sent them; for others secrets are `…`.',
})

const HOUR = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const QUIET_HOURS = closed(
  {
    start: text('', { pattern: HOUR, examples: ['22:00'] }),
    end: text('Not the start.', { pattern: HOUR, examples: ['07:00'] }),
    zone: text('A zone of the IANA.', { maxLength: 64, examples: ['Europe/Berlin'] }),
  },
  { description: 'Messages are held back until these are over.' },
)

const list = <Item>(items: Schema<Item>, description: string) => listOf(items, description, { maxItems: NOTIFIER_ITEMS_MAX })
const NAME = text('', { minLength: 1, maxLength: NOTIFIER_NAME_POINTS_MAX })
const ABOUT_DATASETS = 'Only of annotations on the charts of one of these; by default, and empty, of any.'
/** The lists that say what it is told; empty by default. */
const SELECTION = {
  events: list(oneOf(NOTIFIER_EVENTS), 'What it notifies about besides the monitors that name it; by default nothing.'),
  datasets: list(DATASET_NAME, ABOUT_DATASETS),
  types: list(
    text('', { minLength: 1, maxLength: 256 }),
    'Only of annotations with one of these words in their type; by default, and empty, of any.',
  ),
}

const DELIVERY = titled('NotifierDelivery', {
  id: text('The same over all tries; receivers get it as `webhook-id`.'),
  event: oneOf([...NOTIFIER_EVENTS, 'test']),
  action: oneOf(['open', 'closed'], '`closed`: what an earlier notification reported is over.'),
  title: text(),
  state: oneOf(DELIVERY_STATES),
  attempts: whole(),
  ...optional({
    annotation: text('Id of the annotation.'),
    firstTry: time(),
    lastTry: time(),
    nextTry: time('Of one that waits.'),
    error: text('Why the last try failed.'),
  }),
})

const MEMBERS = {
  id: text('Assigned by the service.', { pattern: NOTIFIER_ID_PATTERN }),
  name: NAME,
  properties: SHOWN_PROPERTIES,
  ...SELECTION,
  datasets: listOf(ANSWERED_DATASET_NAME, ABOUT_DATASETS),
  ...optional({ quietHours: QUIET_HOURS, disabledUntil: time('It sends nothing before.') }),
  createdAt: time(),
  createdBy: text('Id of the token that created it.'),
  updatedAt: time(),
}
const NOTIFIER = titled(
  'Notifier',
  { ...MEMBERS, ...optional({ lastDelivery: DELIVERY }) },
  { description: 'Where notifications of verdicts, failures and monitors go.' },
)
const MADE_NOTIFIER = titled('MadeNotifier', {
  ...MEMBERS,
  ...optional({ secret: text('What messages of a webhook are signed with: shown only this once.') }),
})

/** Published clients send them back. Their type names none, because nothing reads them. */
const IGNORED = optional(Object.fromEntries(['id', 'createdAt', 'createdBy', 'updatedAt'].map((name) => [name, {}]))) as object

const SETTINGS = {
  ...sent({
    ...SELECTION,
    disabledUntil: time('It sends nothing before; the zero time of Go, or a time that has passed, enables it.'),
  }),
  ...optional({ quietHours: anyOf(QUIET_HOURS, schemaOf<null>({ type: 'null', description: 'None.' })) }),
  ...IGNORED,
}
const NEEDED = { name: NAME, properties: SENT_PROPERTIES }
const NEW_NOTIFIER = requestBody('NotifierCreate', { ...NEEDED, ...SETTINGS })
const NOTIFIER_CHANGE = requestBody('NotifierChange', { ...sent(NEEDED), ...SETTINGS })

export const NOTIFIERS = operations(
  NOTIFIER_CALLS,
  {
    noun: 'notifier',
    tag: 'notifiers',
    permissions: 'notifiers',
    params: { id: text('As listed.', { pattern: NOTIFIER_ID_PATTERN }) },
    item: NOTIFIER,
  },
  {
    create: {
      description: 'Monitors tell it where they name it in `notifierIds`, and verdicts and failures where `events` says so.',
      body: NEW_NOTIFIER,
      gives: MADE_NOTIFIER,
      answer: 'The notifier, with the secret that signs its webhooks: it is shown only this once.',
      isSecret: true,
    },
    list: { answer: 'All of them, the oldest first, without their secrets.' },
    get: { description: 'Its properties are whole for the token that sent them.' },
    change: { description: 'Members that are not sent keep their values.', body: NOTIFIER_CHANGE },
    delete: { description: 'Its messages that wait are not delivered any more, and no monitor names it.' },
    deliveries: {
      operationId: 'listNotifierDeliveries',
      summary: 'The last messages of a notifier, and what became of them',
      gives: listOf(DELIVERY),
      answer: 'The newest 50, the newest first.',
    },
    test: {
      operationId: 'testNotifier',
      summary: 'Send a message that says that it is a test',
      description: 'It is tried once, also in quiet hours; the answer waits for that.',
      action: 'update',
      gives: DELIVERY,
      answer: 'The message, and what became of it.',
    },
    regenerate: {
      operationId: 'regenerateNotifierSecret',
      summary: 'Sign the webhooks of a notifier with another secret',
      description: 'It takes the place of the one that is there at once.',
      action: 'update',
      gives: MADE_NOTIFIER,
      answer: 'The notifier, with its secret: it is shown only this once.',
      isSecret: true,
      errors: [422],
    },
  },
)

/** How messages are sent: just one member. */
export type NotifierProperties = { -readonly [K in NotifierKind]?: Infer<(typeof PROPERTIES)[K]> }

/** From when to when messages are held back each day: `HH:MM` on the clocks of a zone. */
export type QuietHours = Infer<typeof QUIET_HOURS>

/** The body of a create. */
export type NewNotifier = Infer<typeof NEW_NOTIFIER>

/** The members to change; the others keep their values. */
export type NotifierChange = Infer<typeof NOTIFIER_CHANGE>

/** Where notifications of verdicts, failures and monitors go. */
export type Notifier = Infer<typeof NOTIFIER>

/** The answer that creates a notifier: the only one with its signing secret. */
export type MadeNotifier = Infer<typeof MADE_NOTIFIER>

/** A message to a notifier, and what became of it. */
export type NotifierDelivery = Infer<typeof DELIVERY>
