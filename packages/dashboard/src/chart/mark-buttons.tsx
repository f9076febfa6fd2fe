/** The buttons of annotations above a plot. */
import { styleOf } from '../address/type-colors.ts'
import { describeMark, titleOf, whenOf } from '../annotations/annotation-view.ts'
import { describeResult } from '../annotations/result.ts'
import { TypeChip } from '../annotations/type-chip.tsx'
import { signOf, toneOf } from '../annotations/verdict.ts'
import { AROUND_PX, textWidth } from './button-width.ts'
import { MarkBar } from './mark-bar.tsx'
import { fitText } from './mark-text.ts'
import { commonType, GROUP_PX, type Mark, type MarkGroup } from './marks.ts'

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
  return {
    key: id,
    title: titleOf(annotation),
    when: whenOf(annotation, zone),
    name: describeMark(annotation, zone),
    kind: <TypeChip type={type} />,
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

function lookOf({ marks, room, opensLeft }: MarkGroup, selected: readonly string[]) {
  const px = Math.max(BUTTON_PX_MIN, room)
  const { isCount, ...shown } = fitText(marks, px - AROUND_PX, textWidth)
  // One of a group that hurt is shown, whatever the others are. Red is for that alone.
  const hasHurt = marks.some(({ annotation }) => toneOf(annotation) === 'bad')
  return {
    ...shown,
    class: `mark${hasHurt ? ' has-hurt' : ''}${opensLeft ? ' opens-left' : ''}${isCount ? ' is-many' : ''}`,
    style: { ...styleOf(commonType(marks)), maxWidth: `${px}px` },
    isPressed: marks.some(({ annotation }) => selected.includes(annotation.id)),
  }
}
