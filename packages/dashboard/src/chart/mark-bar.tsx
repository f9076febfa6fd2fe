/**
 * A row of buttons above a plot, one for each group of marks. It takes one Tab stop, and arrow keys move in it; titles appear on hover and
 * focus.
 */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** Marks that share a button. */
export interface Group<Mark> {
  marks: readonly Mark[]
  /** The position of the first mark, in pixels from the left edge of the plot. */
  x: number
  /** Whether it is in the right half of the plot. */
  isRight: boolean
}

/** What is said of a mark. */
interface Words {
  /** The button of a group has the key of its first mark. */
  key: string | number
  title: string
  when: string
  /** The name of a button of this mark alone. */
  name: string
  /** What follows the title and the time in a tip. */
  kind?: ComponentChildren
  details?: ComponentChildren
}

/** How the button of a group looks. */
interface Look {
  class: string
  style?: Record<string, string>
  isPressed?: boolean
  sign: string
  /** What is to be read on it, which its name has in it so that it can be called by it. */
  text: string
}

interface MarkBarProps<Mark, Of extends Group<Mark>> {
  class: string
  label: string
  groups: readonly Of[]
  /** The left edge of the plot, in pixels. */
  left: number
  wordsOf: (mark: Mark) => Words
  lookOf: (group: Of) => Look
  onPick: (group: Of) => void
}

/** The most titles that a tip shows; the panel has all of them. */
const TITLES_MAX = 6

export function MarkBar<Mark, Of extends Group<Mark>>(props: MarkBarProps<Mark, Of>) {
  const { class: bar, label, groups, left, wordsOf, lookOf, onPick } = props
  // The tip is identified by the key of its button, so it disappears with it.
  const [tipKey, setTipKey] = useState<string | number>()
  const [stop, setStop] = useState(0)
  const stopAt = Math.min(stop, groups.length - 1)
  const drawn = groups.map((group) => ({ group, words: group.marks.slice(0, TITLES_MAX).map(wordsOf) }))
  const tip = drawn.find(({ words }) => words[0]?.key === tipKey)
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }, from: number) => {
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: groups.length - 1 }[event.key]
    if (to === undefined || to < 0 || to >= groups.length) return
    event.preventDefault()
    event.currentTarget.parentElement?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <div class={bar} role="toolbar" aria-label={label}>
      {drawn.map(({ group, words }, at) => {
        const { sign, text, isPressed, ...look } = lookOf(group)
        const key = words[0]?.key
        return (
          <button
            key={key}
            type="button"
            class={look.class}
            style={{ ...look.style, left: `${left + group.x}px` }}
            tabIndex={at === stopAt ? 0 : -1}
            aria-label={nameOf(group.marks.length, words, text)}
            aria-pressed={isPressed}
            onClick={() => {
              // A finger leaves no pointer that could leave the button later.
              setTipKey(undefined)
              onPick(group)
            }}
            onKeyDown={(event) => (event.key === 'Escape' ? setTipKey(undefined) : move(event, at))}
            onMouseEnter={() => setTipKey(key)}
            onMouseLeave={() => setTipKey(undefined)}
            onFocus={({ currentTarget }) => {
              setStop(at)
              if (currentTarget.matches(':focus-visible')) setTipKey(key)
            }}
            onBlur={() => setTipKey(undefined)}
          >
            <span aria-hidden="true">{sign}</span>
            {text}
          </button>
        )
      })}
      {tip && <Tip {...tip.group} words={tip.words} left={left} />}
    </div>
  )
}

function nameOf(count: number, words: readonly Words[], text: string): string {
  const [first] = words
  if (!first) return ''
  const titles = words.map(({ title }) => title).join(', ')
  const name = count === 1 ? first.name : `${count} annotations from ${first.when}: ${titles}`
  return name.includes(text) ? name : `${name}, shown as ${text}`
}

function Tip({ marks, x, isRight, words, left }: Group<unknown> & { words: readonly Words[]; left: number }) {
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
      {words.map(({ title, when, kind, details }, n) => (
        // Several rows of a query may have the same time and title.
        <div key={n}>
          <strong>{title}</strong> {kind}
          <div class="hint">{when}</div>
          {details}
        </div>
      ))}
      {more > 0 && <div class="hint">and {more} more</div>}
    </div>
  )
}
