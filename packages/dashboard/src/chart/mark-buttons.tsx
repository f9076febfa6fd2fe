/**
 * The buttons of annotations above a plot. They take one Tab stop, and arrow keys move between them; titles appear on hover and focus.
 */
import { useState } from 'preact/hooks'
import { styleOf } from '../address/type-colors.ts'
import { describeMark, titleOf, whenOf } from '../annotations/annotation-view.ts'
import { describeResult, resultOf } from '../annotations/result.ts'
import { signOf, toneOf } from '../annotations/verdict.ts'
import { AROUND_PX, textWidth } from './button-width.ts'
import { fitText } from './mark-text.ts'
import { commonType, GROUP_PX, type MarkGroup } from './marks.ts'

interface MarkButtonsProps {
  label: string
  groups: readonly MarkGroup[]
  /** The left edge of the plot, in pixels. */
  left: number
  selected: readonly string[]
  zone: string
  onSelect: (ids: string[]) => void
}

/** The most titles that a tip shows; the panel has all of them. */
const TITLES_MAX = 6
/** A finger cannot hit a narrower button. */
const BUTTON_PX_MIN = GROUP_PX - 3

export function MarkButtons({ label, groups, left, selected, zone, onSelect }: MarkButtonsProps) {
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
        const { sign, text, isCount } = fitText(group.marks, room - AROUND_PX, textWidth)
        return (
          <button
            key={idOf(group)}
            type="button"
            class={`mark${hasHurt(group) ? ' has-hurt' : ''}${group.opensLeft ? ' opens-left' : ''}${isCount ? ' is-many' : ''}`}
            style={{ ...styleOf(commonType(group.marks)), left: `${left + group.x}px`, maxWidth: `${room}px` }}
            tabIndex={at === stopAt ? 0 : -1}
            aria-label={nameOf(group, text, zone)}
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
            <span aria-hidden="true">{sign}</span>
            {text}
          </button>
        )
      })}
      {tip && <Tip group={tip} left={left} zone={zone} />}
    </div>
  )
}

function idOf({ marks: [first] }: MarkGroup): string | undefined {
  return first?.annotation.id
}

/** One of a group that hurt is shown, whatever the others are. Red is for that alone. */
function hasHurt({ marks }: MarkGroup): boolean {
  return marks.some(({ annotation }) => toneOf(annotation) === 'bad')
}

/** @param text what is to be read on the button, which its name has in it so that it can be called by it */
function nameOf({ marks }: MarkGroup, text: string, zone: string): string {
  const [first] = marks
  if (!first) return ''
  const { annotation } = first
  if (marks.length === 1) return withText(text, describeMark(annotation, zone))
  const titles = marks.slice(0, TITLES_MAX).map((mark) => titleOf(mark.annotation))
  return withText(text, `${marks.length} annotations from ${whenOf(annotation, zone)}: ${titles.join(', ')}`)
}

function withText(text: string, name: string): string {
  return name.includes(text) ? name : `${name}, shown as ${text}`
}

function Tip({ group, left, zone }: { group: MarkGroup; left: number; zone: string }) {
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
          <div class="hint">{whenOf(annotation, zone)}</div>
          {annotation.verdictDetails && (
            <div>
              {signOf(annotation)} {annotation.verdictDetails.headline}
            </div>
          )}
          {resultOf(annotation) && <div class="hint">{describeResult(annotation)}</div>}
        </div>
      ))}
      {more > 0 && <div class="hint">and {more} more</div>}
    </div>
  )
}
