/**
 * A row of buttons above a plot, one for each group of marks: of annotations, or of the rows of a query. It takes one Tab stop, and arrow
 * keys move in it; titles appear on hover and focus.
 */
import { isWorse } from '@deployment-annotations/contract/verdict'
import { useMemo, useState } from 'preact/hooks'
import { describeMark, describePipeline, titleOf, whenOf } from '../annotations/annotation-view.ts'
import { colorOf, signOf } from '../annotations/verdict.ts'
import { rankOf } from '../changes/ranked.ts'
import { fitText, wholeText } from './mark-text.ts'
import { GROUP_PX, type Mark, type MarkGroup, mostUrgent } from './marks.ts'

interface MarkButtonsProps {
  /** Whether they are rows of a query, which have no text. */
  areFound?: boolean
  label: string
  groups: readonly MarkGroup[]
  /** The left edge of the plot, in pixels. */
  left: number
  /** Ids of the annotations whose panel is open. */
  selected: readonly string[]
  zone: string
  onPick: (group: MarkGroup) => void
}

/** A finger cannot hit a narrower button. */
const BUTTON_PX_MIN = GROUP_PX - 3
/** The font and the space around the text are those of the style sheet. */
const FONT_PX = 12
const AROUND_PX = 13

let context: CanvasRenderingContext2D | null = null

/** @returns pixels, in the font of this page */
function textWidth(text: string): number {
  if (!context) {
    context = document.createElement('canvas').getContext('2d')
    if (context) context.font = `${FONT_PX}px ${getComputedStyle(document.documentElement).fontFamily}`
  }
  return context?.measureText(text).width ?? 0
}

/** @returns the pixels that a button takes with its whole text */
export function buttonWidth({ marks }: MarkGroup): number {
  return textWidth(wholeText(marks)) + AROUND_PX
}

export function MarkButtons({ areFound = false, label, groups, left, selected, zone, onPick }: MarkButtonsProps) {
  // The tip is identified by the first mark of its button, so it disappears with it.
  const [tipOf, setTipOf] = useState<string>()
  const [stop, setStop] = useState(0)
  const stopAt = Math.min(stop, groups.length - 1)
  const open = new Set(selected)
  const tip = groups.find((group) => idOf(group) === tipOf)
  const buttons = useMemo(() => groups.map((group) => lookOf(group, areFound, zone)), [groups, areFound, zone])
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }, from: number) => {
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: groups.length - 1 }[event.key]
    if (to === undefined || to < 0 || to >= groups.length) return
    event.preventDefault()
    event.currentTarget.parentElement?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <div class={areFound ? 'marks found-marks' : 'marks'} role="toolbar" aria-label={label}>
      {buttons.map(({ group, sign, text, name, style, ...look }, at) => (
        <button
          key={idOf(group)}
          type="button"
          class={look.class}
          style={{ ...style, left: `${left + group.x}px` }}
          tabIndex={at === stopAt ? 0 : -1}
          aria-label={name}
          aria-pressed={group.marks.some(({ annotation }) => open.has(annotation.id))}
          onClick={() => {
            // A finger leaves no pointer that could leave the button later.
            setTipOf(undefined)
            onPick(group)
          }}
          onKeyDown={(event) => (event.key === 'Escape' ? setTipOf(undefined) : move(event, at))}
          onMouseEnter={() => setTipOf(idOf(group))}
          onMouseLeave={() => setTipOf(undefined)}
          onFocus={({ currentTarget }) => {
            setStop(at)
            if (currentTarget.matches(':focus-visible')) setTipOf(idOf(group))
          }}
          onBlur={() => setTipOf(undefined)}
        >
          <span aria-hidden="true">{sign}</span>
          {text}
        </button>
      ))}
      {tip && <Tip {...tip} left={left} zone={zone} />}
    </div>
  )
}

const idOf = ({ marks: [first] }: MarkGroup): string => first?.annotation.id ?? ''

function lookOf(group: MarkGroup, areFound: boolean, zone: string) {
  const { marks, room, opensLeft, row } = group
  const px = Math.max(BUTTON_PX_MIN, room)
  const { sign, text, isCount } = fitText(marks, areFound ? 0 : px - AROUND_PX, textWidth)
  const urgent = mostUrgent(marks)
  return {
    ...{ group, sign, text, name: nameOf(group, text, zone) },
    class: ['mark', areFound && 'found', isWorse(urgent.verdict) && 'is-harmful', opensLeft && 'opens-left', isCount && 'is-many']
      .filter(Boolean)
      .join(' '),
    style: { '--mark': colorOf(urgent), '--row': String(row), maxWidth: `${px}px` },
  }
}

/** The most titles that a name or a tip has; the panel has all of them. */
const TITLES_MAX = 6

/** @param text what is to be read on the button, which its name has in it so that it can be called by it */
function nameOf({ marks }: MarkGroup, text: string, zone: string): string {
  const [first, ...others] = marks.slice(0, TITLES_MAX).map(({ annotation }) => annotation)
  if (!first) return ''
  const rank = rankOf(first) > 0 ? `${rankOf(first)}. ` : ''
  const name =
    others.length > 0
      ? `${marks.length} annotations from ${whenOf(first, zone)}: ${[first, ...others].map(titleOf).join(', ')}`
      : `${rank}${describeMark(first, zone)}`
  return name.includes(text) ? name : `${name}, shown as ${text}`
}

function Tip({ marks, x, isRight, left, zone }: MarkGroup & Pick<MarkButtonsProps, 'left' | 'zone'>) {
  const more = marks.length - TITLES_MAX
  const at = left + x
  // The tip ends at the edge of the chart.
  const room = isRight ? `${at}px` : `calc(100% - ${at}px)`
  return (
    <div
      class={isRight ? 'mark-tip is-right' : 'mark-tip'}
      role="tooltip"
      style={{ left: `${at}px`, maxWidth: `min(22rem, ${room})` }}
    >
      {marks.slice(0, TITLES_MAX).map((mark) => (
        <TipLines key={mark.annotation.id} {...mark} zone={zone} />
      ))}
      {more > 0 && <div class="hint">and {more} more</div>}
    </div>
  )
}

function TipLines({ annotation, zone }: Mark & { zone: string }) {
  const { type, verdictDetails } = annotation
  const result = describePipeline(annotation)
  return (
    <div>
      <strong>{titleOf(annotation)}</strong> <span class="chip">{type}</span>
      <div class="hint">{whenOf(annotation, zone)}</div>
      {verdictDetails && (
        <div>
          {signOf(annotation)} {verdictDetails.headline}
        </div>
      )}
      {result && <div class="hint">{result}</div>}
    </div>
  )
}
