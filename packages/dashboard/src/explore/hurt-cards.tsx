/** What hurts now, a card for each harm, and what is over today in one line. The sentences are those of the judge. */
import './hurt-cards.css'
import { PRODUCTION } from '@deployment-annotations/compare/environments'
import { listHurt } from '@deployment-annotations/compare/healed'
import { isNamedIn } from '@deployment-annotations/compare/neighbors'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { useState } from 'preact/hooks'
import { formatClock } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { titleOf } from '../annotations/annotation-view.ts'
import { failingRequests } from '../annotations/failing-requests.ts'
import { makerOf } from '../annotations/made-by.ts'
import { select } from '../annotations/select.ts'
import { useMakers } from '../annotations/use-makers.ts'
import { headlineOf, roundDuration } from '../annotations/verdict.ts'
import type { Harm, Harms } from '../charts/harm.ts'
import { OpenNotes } from '../charts/open-notes.tsx'
import { ViewLink } from '../parts/view-link.tsx'

interface HurtCardsProps {
  harms: Harms
  /** The last release, which is told while nothing hurts. */
  last: Annotation | undefined
}

export function HurtCards({ harms: { goingOn, over }, last }: HurtCardsProps) {
  const nowMs = Date.now()
  return (
    <>
      {goingOn.map((harm) => (
        <HurtCard key={harm.release.id} harm={harm} nowMs={nowMs} />
      ))}
      {goingOn.length === 0 && last && !over.includes(last) && <Line name="Last release" all={[last]} nowMs={nowMs} />}
      <Line name="Over today" all={over} nowMs={nowMs} />
    </>
  )
}

function HurtCard({ harm: { release, open }, nowMs }: { harm: Harm; nowMs: number }) {
  const { makers } = useMakers()
  const { zone, annotations } = view.value
  const { id, time, environment = PRODUCTION } = release
  const failing = failingRequests(release)
  const facts = [environment, `${roundDuration(nowMs - Date.parse(time))} ago`, makers && makerOf(release, makers)]
  return (
    <section class="card hurt-card" aria-label={`Hurts now: ${titleOf(release)}`}>
      <div class="hurt-head">
        <strong>{titleOf(release)}</strong>
        <span class="muted">{facts.filter(Boolean).join(', ')}</span>
      </div>
      <h2>
        <button type="button" class="plain" title={release.verdictDetails?.text} onClick={() => select([id])}>
          {headlineOf(release, nowMs)}
        </button>
      </h2>
      <p>{describeHarm(release, zone, nowMs)}</p>
      <div class="hurt-open">
        <OpenNotes open={open} />
      </div>
      {annotations.length === 0 && failing && (
        <ViewLink class="primary" to={failing.to}>
          See the {failing.words}
        </ViewLink>
      )}
    </section>
  )
}

/** @returns such as `Since 14:05. “payment timeout” is new: 31 times in the first 10 min. It goes on.` */
function describeHarm(release: Annotation, zone: string, nowMs: number): string {
  const { windows, isEarly } = release.verdictDetails ?? {}
  if (!windows) return ''
  const { startTime, endTime } = windows.after
  const ms = Date.parse(endTime) - Date.parse(startTime)
  // That a release has its own version says nothing new.
  const fresh = listHurt(release)
    .flatMap(({ carriers }) => carriers)
    .find(({ value, before, after }) => before === 0 && after > 0 && !isNamedIn(titleOf(release), value))
  return [
    `Since ${formatClock(startTime, zone, nowMs)}.`,
    fresh && `“${fresh.value}” is new: ${Math.round((fresh.after * ms) / UNIT_MS.m)} times in the first ${roundDuration(ms)}.`,
    !isEarly && 'It goes on.',
  ]
    .filter(Boolean)
    .join(' ')
}

interface LineProps {
  name: string
  all: readonly Annotation[]
  nowMs: number
}

/** The first in one line; the others are a click away. */
function Line({ name, all, nowMs }: LineProps) {
  const [isOpen, setOpen] = useState(false)
  if (all.length === 0) return null
  return (
    <p class="quiet-line">
      <span aria-hidden="true">✓</span> {name}:{' '}
      {all.slice(0, isOpen ? all.length : 1).map((one) => (
        <ViewLink key={one.id} class="plain" stays to={{ ...view.value, annotations: [one.id] }}>
          {titleOf(one)}: {headlineOf(one, nowMs)}
        </ViewLink>
      ))}{' '}
      {all.length > 1 && !isOpen && (
        <button type="button" class="plain is-link" onClick={() => setOpen(true)}>
          {all.length - 1} more
        </button>
      )}
    </p>
  )
}
