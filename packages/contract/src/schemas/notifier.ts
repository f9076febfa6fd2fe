/**
 * The shapes of notifiers as schemas and types. What is secret in `properties` is answered only to the token that sent it.
 */
import type { Static, TSchema } from 'typebox'
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
import { DatasetName, DOCUMENTED, IdParams, NO_OTHERS, OneOf, sent, Time } from './parts.ts'
import Type from './type.ts'

const Text = (description: string) => Type.String({ minLength: 1, maxLength: NOTIFIER_TEXT_MAX, description })
const Url = (description = 'Where to send; http or https.') =>
  Type.String({ minLength: 1, maxLength: NOTIFIER_TEXT_MAX, description, [DOCUMENTED]: { pattern: '^https?://.' } })
const only = <T extends Record<string, TSchema>>(members: T) => Type.Object(members, { additionalProperties: false })

const PROPERTIES = {
  slack: only({ slackUrl: Url('An incoming webhook of Slack, or of whoever takes its bodies.') }),
  microsoftTeams: only({ microsoftTeamsUrl: Url('A webhook of a Teams workflow, which takes Adaptive Cards.') }),
  email: only({
    emails: Type.Array(
      Type.String({ minLength: 3, maxLength: 320, [DOCUMENTED]: { pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+$' } }),
      {
        minItems: 1,
        maxItems: NOTIFIER_ITEMS_MAX,
      },
    ),
  }),
  webhook: only({ url: Url() }),
  customWebhook: only({
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
  discordWebhook: only({ discordWebhookUrl: Url() }),
  discord: only({ discordChannel: Type.String({ pattern: '^[0-9]{1,32}$' }), discordToken: Text('Of a bot.') }),
  pagerduty: only({ routingKey: Text('Of an integration for Events API v2.'), token: Type.Optional(Type.String()) }),
  opsgenie: only({ apiKey: Text('Of an API integration.'), isEU: Type.Optional(Type.Boolean()) }),
} as const satisfies Record<NotifierKind, TSchema>

const optional = Object.fromEntries(Object.entries(PROPERTIES).map(([kind, schema]) => [kind, Type.Optional(schema)])) as {
  [K in keyof typeof PROPERTIES]: ReturnType<typeof Type.Optional<(typeof PROPERTIES)[K]>>
}

const Properties = Type.Object(optional, {
  description: 'Just one member, which says how messages are sent.',
  additionalProperties: false,
  [DOCUMENTED]: { minProperties: 1, maxProperties: 1 },
})
/** In answers secrets may be missing or replaced, so the rules for what is sent do not hold. */
const ShownProperties = Type.Unsafe<NotifierProperties>({
  type: 'object',
  additionalProperties: true,
  description: 'As sent to the token that sent them; for others secrets are `…`.',
})

const HOUR = '^(?:[01]\\d|2[0-3]):[0-5]\\d$'
const QuietHours = Type.Object(
  {
    start: Type.String({ pattern: HOUR, examples: ['22:00'] }),
    end: Type.String({ pattern: HOUR, examples: ['07:00'], description: 'Not the start.' }),
    zone: Type.String({ maxLength: 64, description: 'A zone of the IANA.', examples: ['Europe/Berlin'] }),
  },
  { additionalProperties: false, description: 'Messages are held back until these are over.' },
)

const Name = Type.String({ minLength: 1, maxLength: NOTIFIER_NAME_POINTS_MAX })
const list = <T extends TSchema>(items: T, description: string) =>
  Type.Array(items, { maxItems: NOTIFIER_ITEMS_MAX, description })
const Events = list(OneOf(NOTIFIER_EVENTS), 'What it is told besides the monitors that name it; by default nothing.')
const ABOUT_DATASETS = 'Only of annotations on the charts of one of these; by default, and empty, of any.'
const Datasets = list(DatasetName, ABOUT_DATASETS)
const Types = list(
  Type.String({ minLength: 1, maxLength: 256 }),
  'Only of annotations with one of these words in their type; by default, and empty, of any.',
)

export const DeliveryStateSchema = Type.Object(
  {
    id: Type.String({ description: 'The same over all tries; receivers get it as `webhook-id`.' }),
    event: OneOf([...NOTIFIER_EVENTS, 'test']),
    action: OneOf(['open', 'closed'], { description: '`closed`: what was told before is over.' }),
    title: Type.String(),
    state: OneOf(DELIVERY_STATES),
    attempts: Type.Integer(),
    annotation: Type.Optional(Type.String({ description: 'Id of the annotation.' })),
    firstTry: Type.Optional(Time()),
    lastTry: Type.Optional(Time()),
    nextTry: Type.Optional(Time('Of one that waits.')),
    error: Type.Optional(Type.String({ description: 'Why the last try failed.' })),
  },
  { title: 'NotifierDelivery', additionalProperties: false },
)

const MEMBERS = {
  id: Type.String({ description: 'Assigned by the service.', pattern: NOTIFIER_ID_PATTERN.source }),
  name: Name,
  properties: ShownProperties,
  events: Events,
  datasets: Type.Array(AnsweredDatasetName, { description: ABOUT_DATASETS }),
  types: Types,
  quietHours: Type.Optional(QuietHours),
  disabledUntil: Type.Optional(Time('It is told nothing before.')),
  createdAt: Time(),
  createdBy: Type.String({ description: 'Id of the token that created it.' }),
  updatedAt: Time(),
} as const

export const NotifierSchema = Type.Object(
  { ...MEMBERS, lastDelivery: Type.Optional(DeliveryStateSchema) },
  {
    $id: 'Notifier',
    title: 'Notifier',
    description: 'Where people are told of verdicts, failures and monitors.',
    additionalProperties: false,
  },
)

export const MadeNotifierSchema = Type.Object(
  {
    ...MEMBERS,
    secret: Type.Optional(Type.String({ description: 'What messages of a webhook are signed with: shown only this once.' })),
  },
  { title: 'MadeNotifier', additionalProperties: false },
)

const SETTINGS = sent({
  events: Events,
  datasets: Datasets,
  types: Types,
  disabledUntil: Type.String({
    format: 'date-time',
    description: 'It is told nothing before; the zero time of Go, or a time that has passed, enables it.',
  }),
})
const QUIET = { quietHours: Type.Optional(Type.Union([QuietHours, Type.Null({ description: 'None.' })])) } as const
/** Published clients send them back. */
const IGNORED = Object.fromEntries(
  ['id', 'createdAt', 'createdBy', 'updatedAt'].map((name) => [name, Type.Optional(Type.Unknown())]),
)

export const NewNotifierSchema = Type.Object(
  { name: Name, properties: Properties, ...SETTINGS, ...QUIET, ...IGNORED },
  { title: 'NotifierCreate', ...NO_OTHERS },
)

export const NotifierChangeSchema = Type.Object(
  { ...sent({ name: Name, properties: Properties }), ...SETTINGS, ...QUIET, ...IGNORED },
  { title: 'NotifierChange', ...NO_OTHERS },
)

export const NotifierParams = IdParams(NOTIFIER_ID_PATTERN, 'As listed.')

/** How messages are sent: just one member. */
export type NotifierProperties = { -readonly [K in NotifierKind]?: Static<(typeof PROPERTIES)[K]> }

interface Settings {
  events?: Static<typeof Events> | null
  datasets?: string[] | null
  types?: string[] | null
  /** Null: none. */
  quietHours?: Static<typeof QuietHours> | null
  disabledUntil?: string | null
}

/** The body of a create. */
export interface NewNotifier extends Settings {
  name: string
  properties: NotifierProperties
}

/** The members to change; the others keep their values. */
export type NotifierChange = Partial<NewNotifier>

/** Where people are told of verdicts, failures and monitors. */
export type Notifier = Static<typeof NotifierSchema>

/** The answer that creates a notifier: the only one with its signing secret. */
export type MadeNotifier = Static<typeof MadeNotifierSchema>

/** A message to a notifier, and what became of it. */
export type NotifierDelivery = Static<typeof DeliveryStateSchema>
