/**
 * The buttons of annotations above a plot. They take one Tab stop, and arrow keys move between them; titles appear on hover and focus.
 */
import { useState } from 'preact/hooks'
import { styleOf } from '../address/type-colours.ts'
import { describeMark, titleOf, whenOf } from '../annotations/annotation-view.ts'
import { resultOf } from '../annotations/result.ts'
import { toneOf } from '../annotations/verdict.ts'
import { AROUND_PX, textWidth } from './button-width.ts'
import { fitText } from './mark-text.ts'
import { commonType, GROUP_PX, type MarkGroup } from './marks.ts'

interface MarkButtonsProps {
  label: string
  groups: readonly MarkGroup[]
  /** The left edge of the plot, in pixels. */
  left: number
  selected: readonly string[]
  utc: boolean
  onSelect: (ids: string[]) => void
}

/** The most titles that a tip shows; the panel has all of them. */
const TITLES_MAX = 6
/** A finger cannot hit a narrower button. */
const BUTTON_PX_MIN = GROUP_PX - 3

export function MarkButtons({ label, groups, left, selected, utc, onSelect }: MarkButtonsProps) {
  // The tip is identified by the first mark's id, which is also the key of the button, so it disappears with its button.
  const [tipId, setTipId] = useState<string | undefined>()
  const tip = tipId === undefined ? undefined : groups.find((group) => idOf(group) === tipId)
  const [stop, setStop] = useState(0)
  const stopAt = Math.min(stop, groups.length - 1)

  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }, from: number) => {
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: groups.length - 1 }[event.key]
    if (to === undefined || to < 0 || to >= groups.length) return
    event.preventDefault()
    setStop(to)
    event.currentTarget.parentElement?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <div class="marks" role="toolbar" aria-label={`Annotations on ${label}`}>
      {groups.map((group, at) => {
        const room = Math.max(BUTTON_PX_MIN, group.room)
        const { text, isCount } = fitText(group.marks, room - AROUND_PX, textWidth)
        return (
          <button
            key={idOf(group)}
            type="button"
            class={`mark${hasFailed(group) ? ' has-failed' : ''}${hasHurt(group) ? ' has-hurt' : ''}${group.opensLeft ? ' opens-left' : ''}${isCount ? ' is-many' : ''}`}
            style={{ ...styleOf(commonType(group.marks)), left: `${left + group.x}px`, maxWidth: `${room}px` }}
            tabIndex={at === stopAt ? 0 : -1}
            aria-label={nameOf(group, utc)}
            aria-pressed={group.marks.some(({ annotation }) => selected.includes(annotation.id))}
            onClick={() => {
              // A finger leaves no pointer that could leave the button later.
              setTipId(undefined)
              onSelect(group.marks.map(({ annotation }) => annotation.id))
            }}
            onKeyDown={(event) => (event.key === 'Escape' ? setTipId(undefined) : move(event, at))}
            onMouseEnter={() => setTipId(idOf(group))}
            onMouseLeave={() => setTipId(undefined)}
            onFocus={({ currentTarget }) => {
              setStop(at)
              if (currentTarget.matches(':focus-visible')) setTipId(idOf(group))
            }}
            onBlur={() => setTipId(undefined)}
          >
            {text}
          </button>
        )
      })}
      {tip && <Tip group={tip} left={left} utc={utc} />}
    </div>
  )
}

function idOf({ marks: [first] }: MarkGroup): string | undefined {
  return first?.annotation.id
}

/** One failed deployment of a group is shown, whatever the others are. */
function hasFailed({ marks }: MarkGroup): boolean {
  return marks.some(({ annotation }) => resultOf(annotation) === 'failed')
}

/** So is one that hurt. */
function hasHurt({ marks }: MarkGroup): boolean {
  return marks.some(({ annotation }) => toneOf(annotation) === 'bad')
}

function nameOf({ marks }: MarkGroup, utc: boolean): string {
  const [first] = marks
  if (!first) return ''
  const { annotation } = first
  if (marks.length === 1) return describeMark(annotation, utc)
  return `${marks.length} annotations from ${whenOf(annotation, utc)}: ${marks
    .slice(0, TITLES_MAX)
    .map((mark) => titleOf(mark.annotation))
    .join(', ')}`
}

function Tip({ group, left, utc }: { group: MarkGroup; left: number; utc: boolean }) {
  const more = group.marks.length - TITLES_MAX
  const x = left + group.x
  // The tip ends at the edge of the chart.
  const room = group.isRight ? `${x}px` : `calc(100% - ${x}px)`
  return (
    <div
      class={group.isRight ? 'mark-tip is-right' : 'mark-tip'}
      role="tooltip"
      style={{ left: `${x}px`, maxWidth: `min(22rem, ${room})` }}
    >
      {group.marks.slice(0, TITLES_MAX).map(({ annotation }) => (
        <div key={annotation.id}>
          <strong>{titleOf(annotation)}</strong>{' '}
          <span class="chip" style={styleOf(annotation.type)}>
            {annotation.type}
          </span>
          <div class="hint">{whenOf(annotation, utc)}</div>
        </div>
      ))}
      {more > 0 && <div class="hint">and {more} more</div>}
    </div>
  )
}
