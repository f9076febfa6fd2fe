/** The page of monitors, which are queries that run by themselves. */
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { formatClock } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { Code } from '../parts/code.tsx'
import { Moment } from '../parts/moment.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import type { FieldOf } from '../resources/fields.ts'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { monitorRequests } from '../service/monitors.ts'
import { notifierRequests } from '../service/notifiers.ts'
import { may } from '../service/session.ts'
import { History } from './history.tsx'
import { MONITOR_FORM } from './monitor-fields.ts'
import { describeRule, formatNumber, RANKS, STATUSES, viewAnnotation, viewQuery } from './monitor-text.ts'
import { Preview } from './preview.tsx'

/** People who created or changed a monitor want to see its first result. */
const REFRESH_MS = 5_000

const NOTIFIERS: FieldOf = {
  name: 'notifierIds',
  label: 'Notifies',
  kind: 'choices',
  loadOptions: async (signal) => (await notifierRequests.list(signal)).map(({ id, name }) => [id, name]),
  hint: 'A notifier that is set to any monitor that triggers notifies without this.',
  isShown: () => may('notifiers|read'),
}

const MONITORS: Resource<Monitor> = {
  title: 'Monitors',
  noun: 'monitor',
  permission: 'monitors',
  requests: monitorRequests,
  datasetsOf: ({ datasets }) => datasets,
  refreshMs: REFRESH_MS,
  sign: ({ state }) => STATUSES[state.status],
  sentence: (monitor) => <State monitor={monitor} />,
  columns: [
    {
      name: 'Last value',
      isNumber: true,
      cell: ({ state }) => (state.lastValue === undefined ? 'none' : formatNumber(state.lastValue)),
    },
  ],
  rank: ({ state }) => RANKS.indexOf(state.status),
  Details,
  none: 'No monitors yet. A monitor runs a query at an interval. While the answer is beyond a threshold, there is an annotation on the charts of its datasets.',
  form: { ...MONITOR_FORM, fields: [...MONITOR_FORM.fields, NOTIFIERS], Panel: Preview },
  actions: [
    {
      words: ({ disabled }) => (disabled ? 'Enable' : 'Disable'),
      run: async ({ id, disabled }) => {
        await monitorRequests.change(id, { disabled: !disabled })
      },
    },
  ],
  deletion: { about: 'Its annotations stay; one that is still open ends now.' },
}

export function Monitors() {
  return <ResourceSection resource={MONITORS} />
}

function State({ monitor: { state, disabledUntil, ...rule } }: { monitor: Monitor }) {
  const { words, tone = 'quiet' } = STATUSES[state.status]
  const nowMs = Date.now()
  const rests = disabledUntil !== undefined && Date.parse(disabledUntil) > nowMs
  return (
    <>
      <strong class={`is-${tone}`}>{words}</strong> since{' '}
      <Moment time={state.since}>{formatClock(state.since, view.value.zone, nowMs)}</Moment>:{' '}
      {state.error?.split('\n', 1) ?? describeRule(rule)}
      {rests && (
        <>
          . Rests until <Moment time={disabledUntil} />
        </>
      )}
    </>
  )
}

function Details({ one }: { one: Monitor }) {
  const { zone } = view.value
  const annotation = viewAnnotation(one, zone)
  return (
    <>
      {one.state.error !== undefined && (
        <div class="failure run-error">
          <Code>{one.state.error}</Code>
        </div>
      )}
      {one.state.messages?.map((text) => (
        <p key={text}>⚠ {text}</p>
      ))}
      <p class="row">
        <ViewLink to={viewQuery(one, zone)}>Show on chart</ViewLink>
        {annotation && <ViewLink to={annotation}>Open annotation</ViewLink>}
      </p>
      <History monitor={one} />
    </>
  )
}
