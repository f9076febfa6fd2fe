/** The buttons of annotations above a plot. */
import { isWorse } from '@deployment-annotations/contract/verdict'
import { describeMark, titleOf, whenOf } from '../annotations/annotation-view.ts'
import { describeResult } from '../annotations/result.ts'
import { colorOf, signOf } from '../annotations/verdict.ts'
import { rankOf } from '../changes/ranked.ts'
import { AROUND_PX, textWidth } from './button-width.ts'
import { MarkBar } from './mark-bar.tsx'
import { fitText } from './mark-text.ts'
import { GROUP_PX, type Mark, type MarkGroup, mostUrgent } from './marks.ts'

interface MarkButtonsProps {
  label: string
  groups: readonly MarkGroup[]
  /** The left edge of the plot, in pixels. */
  left: number
  selected: readonly string[]
  zone: string
  onSelect: (ids: string[]) => void
}

/** A finger cannot hit a narrower button. */
const BUTTON_PX_MIN = GROUP_PX - 3

export function MarkButtons({ label, selected, zone, onSelect, ...bar }: MarkButtonsProps) {
  return (
    <MarkBar
      {...bar}
      class="marks"
      label={`Annotations on ${label}`}
      wordsOf={(mark: Mark) => describe(mark, zone)}
      lookOf={(group: MarkGroup) => lookOf(group, selected)}
      onPick={({ marks }) => onSelect(marks.map(({ annotation }) => annotation.id))}
    />
  )
}

function describe({ annotation }: Mark, zone: string) {
  const { id, type, verdictDetails } = annotation
  const result = describeResult(annotation)
  const rank = rankOf(annotation)
  return {
    key: id,
    title: titleOf(annotation),
    when: whenOf(annotation, zone),
    name: `${rank > 0 ? `${rank}. ` : ''}${describeMark(annotation, zone)}`,
    kind: <span class="chip">{type}</span>,
    details: (
      <>
        {verdictDetails && (
          <div>
            {signOf(annotation)} {verdictDetails.headline}
          </div>
        )}
        {result && <div class="hint">{result}</div>}
      </>
    ),
  }
}

function lookOf({ marks, room, opensLeft, row }: MarkGroup, selected: readonly string[]) {
  const px = Math.max(BUTTON_PX_MIN, room)
  const { isCount, ...shown } = fitText(marks, px - AROUND_PX, textWidth)
  const urgent = mostUrgent(marks)
  return {
    ...shown,
    class: `mark${isWorse(urgent.verdict) ? ' is-harmful' : ''}${opensLeft ? ' opens-left' : ''}${isCount ? ' is-many' : ''}`,
    style: { '--mark': colorOf(urgent), '--row': String(row), maxWidth: `${px}px` },
    isPressed: marks.some(({ annotation }) => selected.includes(annotation.id)),
  }
}
