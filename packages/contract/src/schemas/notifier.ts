/**
 * The shapes of notifiers as schemas and types. What is secret in `properties` is answered only to the token that sent it.
 */
import type { Static, TOptional, TSchema, TUnknown } from 'typebox'
import {
  DELIVERY_STATES,
  NOTIFIER_BODY_MAX,
  NOTIFIER_EVENTS,
  NOTIFIER_ID_PATTERN,
  NOTIFIER_ITEMS_MAX,
  NOTIFIER_NAME_POINTS_MAX,
  NOTIFIER_TEXT_MAX,
  type NotifierKind,
} from '../notifier.ts'
import { AnsweredDatasetName } from './annotation.ts'
import { closed, DatasetName, DOCUMENTED, IdParams, named, OneOf, requestBody, sent, Time, titled } from './parts.ts'
import Type from './type.ts'

const Text = (description: string) => Type.String({ minLength: 1, maxLength: NOTIFIER_TEXT_MAX, description })
const Url = (description = 'Where to send; http or https.') =>
  Type.String({ minLength: 1, maxLength: NOTIFIER_TEXT_MAX, description, [DOCUMENTED]: { pattern: '^https?://.' } })

const PROPERTIES = {
  slack: closed({ slackUrl: Url('An incoming webhook of Slack, or of whoever takes its bodies.') }),
  microsoftTeams: closed({ microsoftTeamsUrl: Url('A webhook of a Teams workflow, which takes Adaptive Cards.') }),
  email: closed({
    emails: Type.Array(
      Type.String({ minLength: 3, maxLength: 320, [DOCUMENTED]: { pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+$' } }),
      {
        minItems: 1,
        maxItems: NOTIFIER_ITEMS_MAX,
      },
    ),
  }),
  webhook: closed({ url: Url() }),
  customWebhook: closed({
    url: Url(),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: NOTIFIER_TEXT_MAX }), {
        [DOCUMENTED]: { additionalProperties: { type: 'string' } },
      }),
    ),
    body: Type.Optional(
      Type.String({
        maxLength: NOTIFIER_BODY_MAX,
        description: 'A template with `{{.Title}}` and the like; by default what `webhook` sends.',
      }),
    ),
  }),
  discordWebhook: closed({ discordWebhookUrl: Url() }),
  discord: closed({ discordChannel: Type.String({ pattern: '^[0-9]{1,32}$' }), discordToken: Text('Of a bot.') }),
  pagerduty: closed({ routingKey: Text('Of an integration for Events API v2.'), token: Type.Optional(Type.String()) }),
  opsgenie: closed({ apiKey: Text('Of an API integration.'), isEU: Type.Optional(Type.Boolean()) }),
} as const satisfies Record<NotifierKind, TSchema>

const Properties = closed(Type.Partial(Type.Object(PROPERTIES)).properties, {
  description: 'Just one member, which says how messages are sent.',
  [DOCUMENTED]: { minProperties: 1, maxProperties: 1 },
})
/** In answers secrets may be missing or replaced, so the rules for what is sent do not hold. */
const ShownProperties = Type.Unsafe<NotifierProperties>({
  type: 'object',
  additionalProperties: true,
  description: 'As sent to the token that sent them; for others secrets are `…`.',
})

const HOUR = '^(?:[01]\\d|2[0-3]):[0-5]\\d$'
const QuietHours = closed(
  {
    start: Type.String({ pattern: HOUR, examples: ['22:00'] }),
    end: Type.String({ pattern: HOUR, examples: ['07:00'], description: 'Not the start.' }),
    zone: Type.String({ maxLength: 64, description: 'A zone of the IANA.', examples: ['Europe/Berlin'] }),
  },
  { description: 'Messages are held back until these are over.' },
)

const Name = Type.String({ minLength: 1, maxLength: NOTIFIER_NAME_POINTS_MAX })
const list = <T extends TSchema>(items: T, description: string) =>
  Type.Array(items, { maxItems: NOTIFIER_ITEMS_MAX, description })
const Events = list(OneOf(NOTIFIER_EVENTS), 'What it notifies about besides the monitors that name it; by default nothing.')
const ABOUT_DATASETS = 'Only of annotations on the charts of one of these; by default, and empty, of any.'
const Datasets = list(DatasetName, ABOUT_DATASETS)
const Types = list(
  Type.String({ minLength: 1, maxLength: 256 }),
  'Only of annotations with one of these words in their type; by default, and empty, of any.',
)

export const DeliveryStateSchema = titled('NotifierDelivery', {
  id: Type.String({ description: 'The same over all tries; receivers get it as `webhook-id`.' }),
  event: OneOf([...NOTIFIER_EVENTS, 'test']),
  action: OneOf(['open', 'closed'], { description: '`closed`: what an earlier notification reported is over.' }),
  title: Type.String(),
  state: OneOf(DELIVERY_STATES),
  attempts: Type.Integer(),
  annotation: Type.Optional(Type.String({ description: 'Id of the annotation.' })),
  firstTry: Type.Optional(Time()),
  lastTry: Type.Optional(Time()),
  nextTry: Type.Optional(Time('Of one that waits.')),
  error: Type.Optional(Type.String({ description: 'Why the last try failed.' })),
})

const MEMBERS = {
  id: Type.String({ description: 'Assigned by the service.', pattern: NOTIFIER_ID_PATTERN.source }),
  name: Name,
  properties: ShownProperties,
  events: Events,
  datasets: Type.Array(AnsweredDatasetName, { description: ABOUT_DATASETS }),
  types: Types,
  quietHours: Type.Optional(QuietHours),
  disabledUntil: Type.Optional(Time('It sends nothing before.')),
  createdAt: Time(),
  createdBy: Type.String({ description: 'Id of the token that created it.' }),
  updatedAt: Time(),
} as const

export const NotifierSchema = named('Notifier', 'Where notifications of verdicts, failures and monitors go.', {
  ...MEMBERS,
  lastDelivery: Type.Optional(DeliveryStateSchema),
})

export const MadeNotifierSchema = titled('MadeNotifier', {
  ...MEMBERS,
  secret: Type.Optional(Type.String({ description: 'What messages of a webhook are signed with: shown only this once.' })),
})

const SETTINGS = sent({
  events: Events,
  datasets: Datasets,
  types: Types,
  disabledUntil: Type.String({
    format: 'date-time',
    description: 'It sends nothing before; the zero time of Go, or a time that has passed, enables it.',
  }),
})
const QUIET = { quietHours: Type.Optional(Type.Union([QuietHours, Type.Null({ description: 'None.' })])) } as const
/** Published clients send them back. */
const IGNORED_NAMES = ['id', 'createdAt', 'createdBy', 'updatedAt'] as const
const IGNORED = Object.fromEntries(IGNORED_NAMES.map((name) => [name, Type.Optional(Type.Unknown())])) as {
  [K in (typeof IGNORED_NAMES)[number]]: TOptional<TUnknown>
}

export const NewNotifierSchema = requestBody('NotifierCreate', {
  name: Name,
  properties: Properties,
  ...SETTINGS,
  ...QUIET,
  ...IGNORED,
})

export const NotifierChangeSchema = requestBody('NotifierChange', {
  ...sent({ name: Name, properties: Properties }),
  ...SETTINGS,
  ...QUIET,
  ...IGNORED,
})

export const NotifierParams = IdParams(NOTIFIER_ID_PATTERN, 'As listed.')

/** How messages are sent: just one member. */
export type NotifierProperties = { -readonly [K in NotifierKind]?: Static<(typeof PROPERTIES)[K]> }

/** The body of a create. */
export type NewNotifier = Static<typeof NewNotifierSchema>

/** The members to change; the others keep their values. */
export type NotifierChange = Static<typeof NotifierChangeSchema>

/** Where notifications of verdicts, failures and monitors go. */
export type Notifier = Static<typeof NotifierSchema>

/** The answer that creates a notifier: the only one with its signing secret. */
export type MadeNotifier = Static<typeof MadeNotifierSchema>

/** A message to a notifier, and what became of it. */
export type NotifierDelivery = Static<typeof DeliveryStateSchema>
