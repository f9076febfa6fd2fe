/** One monitor: its state, its last run, and the actions on it. */

import type { Monitor } from '@deployment-annotations/contract/schemas/monitor'
import { formatTime } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { Act } from '../parts/act.tsx'
import { Code } from '../parts/code.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { parseErrorMessage } from '../query/error-message.ts'
import { monitorRequests } from '../service/monitors.ts'
import { may } from '../service/session.ts'
import { History } from './history.tsx'
import { describeRule, describeTimes, formatAgo, formatNumber, STATUSES, viewAnnotation, viewQuery } from './monitor-text.ts'

function RunError({ text }: { text: string }) {
  const { message, excerpt, hint } = parseErrorMessage(text)
  return (
    <div class="failure">
      <p>{message}</p>
      {excerpt !== undefined && <Code>{excerpt}</Code>}
      {hint && <p>{hint}</p>}
    </div>
  )
}

interface MonitorCardProps {
  monitor: Monitor
  onEdit: () => void
  onDelete: () => void
  onChanged: () => void
}

export function MonitorCard({ monitor, onEdit, onDelete, onChanged }: MonitorCardProps) {
  const { name, description, aplQuery, state, disabled } = monitor
  const { error, isBusy, attempt } = useAttempt()
  const { zone } = view.value
  const annotation = viewAnnotation(monitor, zone)
  const setDisabled = () =>
    attempt(async () => {
      await monitorRequests.change(monitor.id, { disabled: !disabled })
      onChanged()
    })
  return (
    <li class={`card monitor is-${state.status}`}>
      <div class="head">
        <h2 class="clip">{name}</h2>
        <Status state={state} />
      </div>
      {description !== undefined && <p class="clip">{description}</p>}
      {state.error !== undefined && <RunError text={state.error} />}
      <Facts monitor={monitor} />
      <Code>{aplQuery}</Code>
      <p class="row links">
        <ViewLink to={viewQuery(monitor, zone)}>Show on chart</ViewLink>
        {annotation && <ViewLink to={annotation}>Open annotation</ViewLink>}
      </p>
      <History monitor={monitor} />
      <Failure error={error} />
      <div class="row">
        {may('monitors|update', monitor.datasets) && (
          <>
            <Act words="Change" on={name} onClick={onEdit} />
            <Act words={disabled ? 'Enable' : 'Disable'} on={name} isBusy={isBusy} onClick={setDisabled} />
          </>
        )}
        {may('monitors|delete', monitor.datasets) && <Act words="Delete" on={name} isDangerous onClick={onDelete} />}
      </div>
    </li>
  )
}

function Status({ state: { status, since } }: Pick<Monitor, 'state'>) {
  const { sign, word } = STATUSES[status]
  return (
    <span class="status">
      <strong>
        <span aria-hidden="true">{sign}</span> {word}
      </strong>{' '}
      <Moment time={since} prefix="since " />
    </span>
  )
}

function Facts({ monitor }: { monitor: Monitor }) {
  const { state, datasets, annotationType, annotationTitle, disabledUntil } = monitor
  const rests = disabledUntil !== undefined && Date.parse(disabledUntil) > Date.now()
  return (
    <dl class="facts">
      <dt>Last value</dt>
      <dd>
        <strong>{state.lastValue === undefined ? 'none' : formatNumber(state.lastValue)}</strong>, {describeRule(monitor)}
      </dd>
      <dt>Runs</dt>
      <dd>{describeTimes(monitor)}</dd>
      <dt>Last run</dt>
      <dd>{state.lastRun === undefined ? 'none yet' : <Moment time={state.lastRun} />}</dd>
      <dt>Next run</dt>
      <dd>{state.nextRun === undefined ? 'none while it is disabled' : <Moment time={state.nextRun} isAhead />}</dd>
      {rests && (
        <>
          <dt>Rests</dt>
          <dd>
            <Moment time={disabledUntil} prefix="until " isAhead />
          </dd>
        </>
      )}
      <dt>Marks</dt>
      <dd>
        <span class="chip">{annotationType}</span> {annotationTitle !== undefined && <strong>{annotationTitle}</strong>} on{' '}
        {datasets.join(', ')}
      </dd>
    </dl>
  )
}

/** @param isAhead whether the time is a planned one: once it has passed, the run is due */
function Moment({ time, isAhead = false, prefix = '' }: { time: string; isAhead?: boolean; prefix?: string }) {
  const nowMs = Date.now()
  const { zone } = view.value
  return (
    <time dateTime={time} title={time}>
      {prefix}
      {formatTime(time, zone).replace(/\.\d+/, '')}
      <span class="hint"> {isAhead && Date.parse(time) <= nowMs ? 'due' : formatAgo(time, nowMs)}</span>
    </time>
  )
}
