/** The notifiers on the page of integrations: who is notified, of what, and what became of the last messages. */

import type { MadeNotifier, Notifier, NotifierDelivery } from '@deployment-annotations/contract/notifier'
import { NOTIFIER_EVENTS, NOTIFIER_NAME_POINTS_MAX } from '@deployment-annotations/contract/notifier'
import { Moment } from '../parts/moment.tsx'
import { OpenedList } from '../parts/opened-list.tsx'
import type { FieldOf, FormOf, FormState, Texts } from '../resources/fields.ts'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { notifierRequests } from '../service/notifiers.ts'
import {
  describeEvents,
  describeTarget,
  EVENT_NAMES,
  fieldOf,
  KIND_NAMES,
  kindOf,
  OFFERED,
  propertiesOf,
  STATES,
} from './notifier-text.ts'

const REFRESH_MS = 5_000

/** Where it sends, or with which key: a change keeps what is not typed again, because it is not shown. */
const TARGET = {
  label: ({ texts }: FormState) => fieldOf(texts.kind).label,
  required: ({ isNew }: FormState) => isNew,
  placeholder: ({ isNew }: FormState) => (isNew ? '' : 'as it is'),
}

const FIELDS: readonly FieldOf[] = [
  {
    name: 'kind',
    label: 'How it is sent',
    kind: 'choice',
    options: OFFERED.map((kind) => [kind, KIND_NAMES[kind]]),
    initial: 'slack',
  },
  { name: 'target', ...TARGET, isShown: ({ texts }) => !fieldOf(texts.kind).isKey },
  { name: 'key', ...TARGET, kind: 'secret', isShown: ({ texts }) => fieldOf(texts.kind).isKey },
  { name: 'name', label: 'Name', required: true, maxLength: NOTIFIER_NAME_POINTS_MAX },
  {
    name: 'events',
    label: 'Notifies about monitors that name it, and about',
    kind: 'choices',
    options: NOTIFIER_EVENTS.map((event) => [event, EVENT_NAMES[event]]),
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
    hint: ({ texts }) => `In the zone ${texts.zone ?? zoneHere()}.`,
  },
]

const FORM: FormOf = {
  fields: FIELDS,
  read: (notifier: Notifier): Texts => ({
    kind: OFFERED.find((one) => one === kindOf(notifier)) ?? 'slack',
    quietStart: notifier.quietHours?.start ?? '',
    quietEnd: notifier.quietHours?.end ?? '',
    zone: notifier.quietHours?.zone ?? zoneHere(),
  }),
  finish: ({ kind: _, key, target = key, quietStart, quietEnd, ...members }, texts) => ({
    ...members,
    ...(target !== undefined && { properties: propertiesOf(texts.kind, String(target)) }),
    ...((quietStart !== undefined || quietEnd !== undefined) && { quietHours: quietHoursOf(texts) }),
  }),
}

const NOTIFIERS: Resource<Notifier> = {
  title: 'Notifiers',
  noun: 'notifier',
  permission: 'notifiers',
  requests: notifierRequests,
  refreshMs: () => REFRESH_MS,
  sign: ({ lastDelivery }) => (lastDelivery ? STATES[lastDelivery.state] : { sign: '○', words: 'no message yet' }),
  sentence: (notifier) => `Notifies about ${describeEvents(notifier)}`,
  columns: [
    { name: 'Sends to', cell: (notifier) => <Target notifier={notifier} /> },
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

export function Notifiers() {
  return <ResourceSection resource={NOTIFIERS} heading="Notifiers" />
}

function Target({ notifier }: { notifier: Notifier }) {
  const kind = kindOf(notifier)
  return (
    <>
      {kind && <span class="chip">{KIND_NAMES[kind]}</span>} <span class="clip">{describeTarget(notifier)}</span>
    </>
  )
}

function DeliveryLine({ delivery }: { delivery: NotifierDelivery }) {
  const { state, title, attempts, lastTry, nextTry, error } = delivery
  const { sign, words, tone = 'quiet' } = STATES[state]
  return (
    <>
      <span class={`is-${tone}`}>
        <span aria-hidden="true">{sign}</span> {words}
        {attempts > 1 && `, tried ${attempts} times`}
      </span>{' '}
      {lastTry !== undefined && <Moment time={lastTry} />} <span class="clip">{title}</span>
      {error !== undefined && <span class="hint clip"> {error}</span>}
      {nextTry !== undefined && (
        <span class="hint">
          {' '}
          next: <Moment time={nextTry} />
        </span>
      )}
    </>
  )
}

function zoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

function quietHoursOf({ quietStart: start = '', quietEnd: end = '', zone = zoneHere() }: Texts): object | null {
  if ((start === '') !== (end === '')) throw new Error('Say when the quiet hours begin, and when they end.')
  return start === '' ? null : { start, end, zone }
}
