/** Copies what is seen: the sentence of the release, and a link that shows everybody the same datasets and times. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { view } from '../address/navigation.ts'
import { formatRange, type Range } from '../address/range.ts'
import { formatView } from '../address/view.ts'
import { useCopy } from '../parts/copy.tsx'
import { titleOf } from './annotation-view.ts'
import { headlineOf, isRelease } from './verdict.ts'

interface ShareProps {
  range: Range | undefined
  /** The datasets on the page, also if nobody picked them. */
  datasets: readonly string[]
  annotations: readonly Annotation[]
}

export function Share(props: ShareProps) {
  const [said, copy] = useCopy()
  return (
    <>
      <button
        type="button"
        title="Copies the sentence and a link with these datasets and times"
        onClick={() => copy([sentenceOf(props.annotations), linkTo(props)].filter(Boolean).join('\n'))}
      >
        Share
      </button>
      <span role="status" class={said === '' ? 'visually-hidden' : 'hint'}>
        {said}
      </span>
    </>
  )
}

/** Without a query, the address names the datasets; a fixed range does not follow the clock. */
function linkTo({ range, datasets }: ShareProps): string {
  const { value: now } = view
  const picked = now.page === 'explore' && now.apl === '' ? { datasets } : {}
  return location.origin + formatView({ ...now, ...picked, ...(range && formatRange(range)), live: false, refresh: '' })
}

/** @returns the headline of the open annotation, or of the newest that hurts */
function sentenceOf(annotations: readonly Annotation[]): string {
  const [newest] = annotations.filter(({ hurtsNow }) => hurtsNow).sort((one, other) => (one.time < other.time ? 1 : -1))
  const one = annotations.find(({ id }) => view.value.annotations.includes(id)) ?? newest
  if (!one) return ''
  return isRelease(one) ? `${titleOf(one)}: ${headlineOf(one, Date.now())}` : titleOf(one)
}
