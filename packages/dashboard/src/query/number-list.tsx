/** Figures in large digits, each with its name, and how they were at an earlier time. */
import { cutText } from '@deployment-annotations/contract/text'
import './query.css'
import { formatValue, type Unit } from '../address/unit.ts'
import { describeChange } from './change.ts'
import { showUnseen } from './name.ts'

const NAME_POINTS_MAX = 120

interface Compared {
  value: number
  before: number
  unit: Unit
  /** When that was: `a day earlier`. */
  when: string
}

interface NumberItem {
  name: string
  /** As people read it. */
  text: string
  /** What it is compared by; absent where it is not compared. */
  compared?: Compared | undefined
}

export function NumberList({ items }: { items: readonly NumberItem[] }) {
  return (
    <dl class="result-numbers">
      {items.map(({ name, text, compared }) => (
        <div key={name}>
          <dt>
            {cutText(showUnseen(name), NAME_POINTS_MAX)}
            {compared && <div class="hint">{textOf(compared)}</div>}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function textOf({ value, before, unit, when }: Compared): string {
  return `${describeChange(value, before)} (${formatValue(before, unit)} ${when})`
}
