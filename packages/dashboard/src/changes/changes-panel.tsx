/** What changed before a moment: the likeliest annotations with the reason of each, which have the same numbers on the charts. */
import './changes.css'
import { restOf } from '@deployment-annotations/compare/report'
import { type Change, type Changes, describeBefore, LIKELIHOODS } from '@deployment-annotations/contract/release'
import { useEffect, useRef } from 'preact/hooks'
import { formatClock } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { titleOf } from '../annotations/annotation-view.ts'
import { select } from '../annotations/select.ts'
import { colorOf } from '../annotations/verdict.ts'
import { Failure } from '../parts/failure.tsx'
import { SignButton } from '../parts/sign-button.tsx'
import { useLoad } from '../parts/use-load.ts'
import { listChanges } from '../service/releases.ts'
import { askedMs } from './moment.ts'
import { NONE, ranked } from './ranked.ts'

/** More are folded. */
const SHOWN_MAX = 6

const HEADINGS: Readonly<Record<Change['likelihood'], string>> = {
  likely: 'Most likely',
  possible: 'Possible',
  unlikely: 'Unlikely',
}

/**
 * @param version a new number asks again
 * @param takesFocus whether the person opened it; otherwise the address did
 */
export function ChangesPanel({ version, takesFocus }: { version: number; takesFocus: boolean }) {
  const { moment, zone } = view.value
  const { data, error } = useLoad((signal) => listChanges({ time: moment }, signal), [moment, version], moment)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [moment])
  useEffect(() => {
    ranked.value = data?.changes.slice(0, SHOWN_MAX).map(({ annotation }) => annotation) ?? NONE
    return () => {
      ranked.value = NONE
    }
  }, [data])
  const close = () => navigate({ moment: '' })
  const ms = askedMs()
  const clock = ms === undefined ? moment : formatClock(ms, zone, Date.now())
  return (
    <aside class="panel card changes" aria-labelledby="changes-title" onKeyDown={({ key }) => key === 'Escape' && close()}>
      <div class="row">
        <h2 ref={heading} id="changes-title" tabIndex={-1}>
          What changed before {clock}?
        </h2>
        <SignButton class="quiet push" label="Close the panel" onClick={close}>
          ✕
        </SignButton>
      </div>
      <Failure error={error} />
      {!data && !error && <p class="hint">Loading…</p>}
      {data && <Ranked {...data} clock={clock} />}
    </aside>
  )
}

function Ranked({ changes, total, clock }: Pick<Changes, 'changes' | 'total'> & { clock: string }) {
  const shown = changes.slice(0, SHOWN_MAX)
  const [first] = shown
  const many = `${total} ${total === 1 ? 'mark' : 'marks'}`
  return (
    <>
      <p class="hint">
        {first ? (shown.length < total ? `${shown.length} of ${many}` : many) : 'No marks'} in the 24 hours before, on all
        services.
        {first && ' Likeliest first.'}
      </p>
      {LIKELIHOODS.map((likelihood) => {
        const from = shown.findIndex((one) => one.likelihood === likelihood)
        if (from === -1) return null
        const alike = shown.filter((one) => one.likelihood === likelihood)
        return (
          <section key={likelihood} aria-label={HEADINGS[likelihood]}>
            <h3>{HEADINGS[likelihood]}</h3>
            <ol start={from + 1}>
              {alike.map((change, at) => (
                <Ranking key={change.annotation.id} change={change} rank={from + at + 1} />
              ))}
            </ol>
            {from === 0 && first && (
              <button type="button" class="primary" onClick={() => select([first.annotation.id])}>
                Open {titleOf(first.annotation)}
              </button>
            )}
          </section>
        )
      })}
      {shown.length < total && <Rest changes={changes.slice(SHOWN_MAX)} count={total - shown.length} clock={clock} />}
    </>
  )
}

function Ranking({ change: { annotation, likelihood, msBefore, reason }, rank }: { change: Change; rank: number }) {
  const { hurtsNow, verdictDetails } = annotation
  const rest = likelihood === 'likely' && verdictDetails ? restOf(verdictDetails) : ''
  return (
    <li>
      <span class={hurtsNow ? 'rank is-harmful' : 'rank'} style={{ '--mark': colorOf(annotation) }} aria-hidden="true">
        {rank}
      </span>
      <button type="button" class="named" onClick={() => select([annotation.id])}>
        {titleOf(annotation)}
      </button>
      <span class="hint">{describeBefore(msBefore)}</span>
      <p>{reason}</p>
      {rest !== '' && <p class="hint">{rest}</p>}
    </li>
  )
}

/** Those that nobody has to read; of very many, only the likeliest have come. */
function Rest({ changes, count, clock }: { changes: readonly Change[]; count: number; clock: string }) {
  const isFar = changes.every(({ likelihood }) => likelihood === 'unlikely')
  return (
    <details>
      <summary>
        {count} more {count === 1 ? 'mark' : 'marks'}
        {isFar && `, none near ${clock}`}
      </summary>
      <ul>
        {changes.map(({ annotation, msBefore }) => (
          <li key={annotation.id}>
            <button type="button" class="named" onClick={() => select([annotation.id])}>
              {titleOf(annotation)}
            </button>
            <span class="hint">{describeBefore(msBefore)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
