/** What changed before a moment: the likeliest annotations with the reason of each, which have the same numbers on the charts. */
import './changes.css'
import { restOf } from '@deployment-annotations/compare/report'
import { type Change, type Changes, describeWhen, LIKELIHOODS } from '@deployment-annotations/contract/release'
import { useEffect } from 'preact/hooks'
import { formatClock } from '../address/format-time.ts'
import { navigate, view } from '../address/navigation.ts'
import { titleOf } from '../annotations/annotation-view.ts'
import { PanelFrame } from '../annotations/panel-frame.tsx'
import { colorOf } from '../annotations/verdict.ts'
import { Failure } from '../parts/failure.tsx'
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
  useEffect(() => {
    ranked.value = data?.changes.slice(0, SHOWN_MAX).map(({ annotation }) => annotation) ?? NONE
    return () => {
      ranked.value = NONE
    }
  }, [data])
  const ms = askedMs()
  const clock = ms === undefined ? moment : formatClock(ms, zone, Date.now())
  const title = `What changed before ${clock}?`
  return (
    <PanelFrame key={moment} class="changes" title={title} takesFocus={takesFocus} without={{ moment: '' }}>
      <Failure error={error} />
      {!data && !error && <p class="hint">Loading…</p>}
      {data && <Ranked {...data} clock={clock} />}
    </PanelFrame>
  )
}

function Ranked({ changes, total, clock }: Pick<Changes, 'changes' | 'total'> & { clock: string }) {
  const shown = changes.slice(0, SHOWN_MAX)
  // Of very many, only the likeliest have come.
  const more = total - shown.length
  const [first] = shown
  const all = total === 1 ? '1 mark' : `${total} marks`
  const isFar = changes.slice(SHOWN_MAX).every(({ likelihood }) => likelihood === 'unlikely')
  return (
    <>
      <p class="hint">
        {more > 0 && `${shown.length} of `}
        {first ? all : 'No marks'} in the 24 hours before, on all services.
        {first && ' Likeliest first.'}
      </p>
      {LIKELIHOODS.map((likelihood) => {
        const alike = shown.filter((one) => one.likelihood === likelihood)
        if (alike.length === 0) return null
        return (
          <section key={likelihood} aria-label={HEADINGS[likelihood]}>
            <h3>{HEADINGS[likelihood]}</h3>
            <Ranking changes={alike} of={changes} />
            {first && alike.includes(first) && (
              <button type="button" class="primary" onClick={() => open(first)}>
                Open {titleOf(first.annotation)}
              </button>
            )}
          </section>
        )
      })}
      {more > 0 && (
        <details>
          <summary>
            {more === 1 ? '1 more mark' : `${more} more marks`}
            {isFar && `, none near ${clock}`}
          </summary>
          <Ranking changes={changes.slice(SHOWN_MAX)} of={changes} />
        </details>
      )}
    </>
  )
}

const open = ({ annotation }: Change) => navigate({ annotations: [annotation.id] })

/** @param of the whole list, in which each has its number */
function Ranking({ changes, of }: { changes: readonly Change[]; of: readonly Change[] }) {
  return (
    <ol>
      {changes.map((change) => {
        const { annotation, likelihood, msBefore, reason } = change
        const { hurtsNow, verdictDetails } = annotation
        const rest = likelihood === 'likely' && verdictDetails ? restOf(verdictDetails) : ''
        return (
          <li key={annotation.id}>
            <span class={hurtsNow ? 'rank is-harmful' : 'rank'} style={{ '--mark': colorOf(annotation) }} aria-hidden="true">
              {of.indexOf(change) + 1}
            </span>
            <button type="button" class="named" onClick={() => open(change)}>
              {titleOf(annotation)}
            </button>
            <span class="hint">{describeWhen(msBefore)}</span>
            <p>{reason}</p>
            {rest !== '' && <p class="hint">{rest}</p>}
          </li>
        )
      })}
    </ol>
  )
}
