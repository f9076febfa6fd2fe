/** The notifiers on the page of integrations: who is notified, of what, and what became of the last messages. */

import type {
  MadeNotifier,
  Notifier,
  NotifierDelivery,
  NotifierEvent,
  NotifierKind,
} from '@deployment-annotations/contract/notifier'
import { NOTIFIER_EVENTS, NOTIFIER_NAME_POINTS_MAX } from '@deployment-annotations/contract/notifier'
import { zoneName } from '../address/zone.ts'
import { Moment } from '../parts/moment.tsx'
import { OpenedList } from '../parts/opened-list.tsx'
import type { FieldOf, FormOf, FormState, Texts } from '../resources/fields.ts'
import type { Resource, Sign } from '../resources/resource.ts'
import { notifierRequests } from '../service/notifiers.ts'

const REFRESH_MS = 5_000

interface Kind extends Pick<FieldOf, 'label' | 'kind'> {
  words: string
  /** The one member that it needs; empty for kinds that are created over HTTP only. */
  member: string
}

const KINDS: Readonly<Record<NotifierKind, Kind>> = {
  slack: { words: 'Slack', member: 'slackUrl', label: 'Webhook URL', kind: 'url' },
  microsoftTeams: { words: 'Microsoft Teams', member: 'microsoftTeamsUrl', label: 'URL of the workflow', kind: 'url' },
  email: { words: 'Email', member: 'emails', label: 'Addresses, separated by commas', kind: 'names' },
  webhook: { words: 'Webhook', member: 'url', label: 'URL', kind: 'url' },
  customWebhook: { words: 'Webhook with a body of your own', member: '', label: '' },
  discordWebhook: { words: 'Discord', member: 'discordWebhookUrl', label: 'Webhook URL', kind: 'url' },
  discord: { words: 'Discord bot', member: '', label: '' },
  pagerduty: { words: 'PagerDuty', member: 'routingKey', label: 'Routing key', kind: 'secret' },
  opsgenie: { words: 'Opsgenie', member: 'apiKey', label: 'API key', kind: 'secret' },
}
const OFFERED = (Object.keys(KINDS) as NotifierKind[]).filter((kind) => KINDS[kind].member !== '')

const EVENTS: Readonly<Record<NotifierEvent, string>> = {
  verdict: 'releases that are judged worse',
  failure: 'deployments and jobs that failed',
  monitor: 'any monitor that triggers',
}

const STATES: Readonly<Record<NotifierDelivery['state'], Sign>> = {
  delivered: { sign: '✓', words: 'delivered', tone: 'good' },
  waiting: { sign: '…', words: 'waits' },
  failed: { sign: '✕', words: 'failed', tone: 'bad' },
  skipped: { sign: '–', words: 'skipped: disabled' },
}

const FIELDS: readonly FieldOf[] = [
  {
    name: 'kind',
    label: 'How it is sent',
    kind: 'choice',
    options: OFFERED.map((kind) => [kind, KINDS[kind].words]),
    initial: 'slack',
  },
  // A change keeps what is not typed again, because it is not shown.
  ...OFFERED.map((kind) => ({
    ...KINDS[kind],
    name: 'target',
    required: ({ isNew }: FormState) => isNew,
    placeholder: ({ isNew }: FormState) => (isNew ? '' : 'as it is'),
    isShown: ({ texts }: FormState) => texts.kind === kind,
  })),
  { name: 'name', label: 'Name', required: true, maxLength: NOTIFIER_NAME_POINTS_MAX },
  {
    name: 'events',
    label: 'Notifies about monitors that name it, and about',
    kind: 'choices',
    options: NOTIFIER_EVENTS.map((event) => [event, EVENTS[event]]),
    initial: NOTIFIER_EVENTS.join(', '),
  },
  { name: 'datasets', label: 'Only on these datasets', kind: 'datasets', hint: 'Without any, on all.' },
  { name: 'types', label: 'Only of types with one of these words', kind: 'names', placeholder: 'all' },
  { name: 'quietStart', label: 'Quiet from', kind: 'clock', isHalf: true },
  {
    name: 'quietEnd',
    label: 'Quiet until',
    kind: 'clock',
    isHalf: true,
    hint: ({ texts }) => `In the zone ${texts.zone ?? zoneName('')}.`,
  },
]

const FORM: FormOf = {
  fields: FIELDS,
  read: (notifier: Notifier): Texts => ({
    kind: OFFERED.find((kind) => kind === kindOf(notifier)) ?? 'slack',
    quietStart: notifier.quietHours?.start ?? '',
    quietEnd: notifier.quietHours?.end ?? '',
    zone: notifier.quietHours?.zone ?? zoneName(''),
  }),
  finish: ({ kind: _, target, quietStart, quietEnd, ...members }, texts) => ({
    ...members,
    ...(target !== undefined && { properties: propertiesOf(texts.kind as NotifierKind, target) }),
    ...((quietStart !== undefined || quietEnd !== undefined) && { quietHours: quietHoursOf(texts) }),
  }),
}

export const NOTIFIERS: Resource<Notifier> = {
  title: 'Notifiers',
  noun: 'notifier',
  permission: 'notifiers',
  requests: notifierRequests,
  refreshMs: REFRESH_MS,
  sign: ({ lastDelivery }) => (lastDelivery ? STATES[lastDelivery.state] : { sign: '○', words: 'no message yet' }),
  sentence: describe,
  columns: [
    {
      name: 'Last message',
      cell: ({ lastDelivery }) => (lastDelivery ? <DeliveryLine delivery={lastDelivery} /> : 'none yet'),
    },
  ],
  Details: ({ one: { id, name, lastDelivery } }) => (
    <OpenedList
      title="Last messages"
      of={name}
      load={(signal) => notifierRequests.deliveries(id, signal)}
      newest={`${id} ${JSON.stringify(lastDelivery)}`}
      none="None yet."
      line={(delivery) => <DeliveryLine delivery={delivery} />}
    />
  ),
  none: 'None yet. A notifier tells people, by Slack, Teams, email or a webhook, when a release is judged worse, a deployment failed, or a monitor triggers.',
  form: FORM,
  actions: [{ words: 'Send a test', run: async ({ id }) => <DeliveryLine delivery={await notifierRequests.test(id)} /> }],
  deletion: { about: 'Its waiting messages are not sent, and monitors that name it do not use it any more.' },
  shownOnce: ({ name, secret }: MadeNotifier) =>
    secret === undefined
      ? undefined
      : {
          title: 'Notifier created',
          text: secret,
          what: 'secret',
          children: (
            <>
              This is the secret with which messages of <strong class="clip">{name}</strong> are signed, as Standard Webhooks
              says. It is shown only this once: give it to the receiver now.
            </>
          ),
        },
}

function DeliveryLine({ delivery: { state, title, attempts, lastTry, error } }: { delivery: NotifierDelivery }) {
  const { sign, words, tone = 'quiet' } = STATES[state]
  return (
    <>
      <span class={`is-${tone}`}>
        <span aria-hidden="true">{sign}</span> {words}
        {attempts > 1 && `, tried ${attempts} times`}
      </span>{' '}
      {lastTry !== undefined && <Moment time={lastTry} />} <span class="clip">{title}</span>
      {error !== undefined && <span class="hint clip"> {error}</span>}
    </>
  )
}

function kindOf({ properties }: Notifier): NotifierKind {
  return Object.keys(properties)[0] as NotifierKind
}

function propertiesOf(kind: NotifierKind, target: unknown): object {
  return { [kind]: { [KINDS[kind].member]: target } }
}

/** @returns such as `Email to team@example.org: monitors that name it, releases that are judged worse`; secrets are not shown */
function describe(notifier: Notifier): string {
  const { properties, events, datasets, types } = notifier
  const kind = kindOf(notifier)
  const targets = Object.values(properties[kind] ?? {}).flat()
  const about = ['monitors that name it', ...events.map((event) => EVENTS[event])].join(', ')
  const where = datasets.length === 0 ? '' : `, on ${datasets.join(', ')}`
  const which = types.length === 0 ? '' : `, of types with ${types.join(' or ')}`
  return `${KINDS[kind].words} to ${targets.filter((text) => typeof text === 'string').join(', ')}: ${about}${where}${which}`
}

function quietHoursOf({ quietStart: start = '', quietEnd: end = '', zone = zoneName('') }: Texts): object | null {
  if ((start === '') !== (end === '')) throw new Error('Say when the quiet hours begin, and when they end.')
  return start === '' ? null : { start, end, zone }
}
