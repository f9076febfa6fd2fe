/** The page of monitors, which are queries that run by themselves. */
import './monitors.css'
import type { Monitor } from '@deployment-annotations/contract/monitor'
import { formatClock } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { Code } from '../parts/code.tsx'
import { Moment } from '../parts/moment.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import { parseErrorMessage } from '../query/error-message.ts'
import type { FieldOf } from '../resources/fields.ts'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { monitorRequests } from '../service/monitors.ts'
import { notifierRequests } from '../service/notifiers.ts'
import { may } from '../service/session.ts'
import { NoMonitors } from './empty.tsx'
import { History } from './history.tsx'
import { MONITOR_FORM } from './monitor-fields.ts'
import {
  describeRule,
  describeTimes,
  formatAgo,
  formatNumber,
  RANKS,
  STATUSES,
  viewAnnotation,
  viewQuery,
} from './monitor-text.ts'
import { Preview } from './preview.tsx'

const REFRESH_MS = 10_000
/** The interval while a run is due: people who created or changed a monitor want to see its first result. */
const REFRESH_SOON_MS = 2_000

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
  refreshMs: (all) => (all.some(isDue) ? REFRESH_SOON_MS : REFRESH_MS),
  sign: ({ state }) => STATUSES[state.status],
  sentence: (monitor) => <State monitor={monitor} />,
  columns: [
    {
      name: 'Last value',
      isNumber: true,
      cell: ({ state }) => (state.lastValue === undefined ? 'none' : formatNumber(state.lastValue)),
    },
    { name: 'Next run', cell: nextRun },
  ],
  rank: ({ state }) => RANKS.indexOf(state.status),
  Details,
  none: NoMonitors,
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

function isDue({ state }: Pick<Monitor, 'state'>): boolean {
  return state.nextRun !== undefined && Date.parse(state.nextRun) <= Date.now()
}

function State({ monitor: { state, disabledUntil, ...rule } }: { monitor: Monitor }) {
  const { words, tone = 'quiet' } = STATUSES[state.status]
  const rests = disabledUntil !== undefined && Date.parse(disabledUntil) > Date.now()
  return (
    <>
      <strong class={`is-${tone}`}>{words}</strong> since <Ago time={state.since} />:{' '}
      {state.error === undefined ? `${describeRule(rule)}, ${describeTimes(rule)}` : parseErrorMessage(state.error).message}
      {rests && (
        <>
          . Rests until <Moment time={disabledUntil} />
        </>
      )}
    </>
  )
}

function nextRun({ state }: Monitor) {
  if (state.nextRun === undefined) return 'none while it is disabled'
  return isDue({ state }) ? 'due' : <Moment time={state.nextRun}>{formatAgo(state.nextRun, Date.now())}</Moment>
}

function Details({ one }: { one: Monitor }) {
  const { zone } = view.value
  const annotation = viewAnnotation(one, zone)
  return (
    <>
      {one.state.error !== undefined && <RunError text={one.state.error} />}
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

function RunError({ text }: { text: string }) {
  const { message, excerpt, hint } = parseErrorMessage(text)
  return (
    <div class="failure run-error">
      <p>{message}</p>
      {excerpt !== undefined && <Code>{excerpt}</Code>}
      {hint && <p>{hint}</p>}
    </div>
  )
}

/** A time, and how long ago it was. */
function Ago({ time }: { time: string }) {
  const nowMs = Date.now()
  return (
    <Moment time={time}>
      {formatClock(time, view.value.zone, nowMs)} ({formatAgo(time, nowMs)})
    </Moment>
  )
}
