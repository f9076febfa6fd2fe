/** A chart as single numbers: totals if its values add up, and last values otherwise. */
import { formatInUnit } from '../address/unit.ts'
import { eachFigure } from '../chart/figures.ts'
import type { Frame } from '../chart/frame.ts'
import { NumberList } from '../query/number-list.tsx'
import type { Display } from './display.ts'

/** More numbers would not be read. */
const NUMBERS_MAX = 12

interface FrameNumbersProps {
  frame: Frame
  display: Display
  /** The earlier time in words, such as `a day earlier`. */
  when: string
}

export function FrameNumbers({ frame, display: { unit, addsUp }, when }: FrameNumbersProps) {
  const figures = eachFigure(frame, addsUp ? 'total' : 'last')
  const items = figures.slice(0, NUMBERS_MAX).map(({ label, value, before }) => ({
    name: `${label}, ${addsUp ? 'total' : 'last'}`,
    text: unit === 'none' ? exact(value) : formatInUnit(value, unit),
    compared: before === undefined ? undefined : { value, before, unit, when },
  }))
  return (
    <>
      <NumberList items={items} />
      {figures.length > items.length && <p class="hint">and {figures.length - items.length} more series</p>}
    </>
  )
}

function exact(value: number): string {
  return Number.isSafeInteger(value) ? value.toLocaleString('en') : formatInUnit(value, 'none')
}
