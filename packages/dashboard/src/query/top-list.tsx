/** The largest first, each with a bar as long as its share of the largest. */
import { cutText } from '@deployment-annotations/contract/text'
import './top-list.css'
import { seriesColour } from '../view/colours.ts'
import { describeChange } from './change.ts'
import { showUnseen } from './name.ts'

const NAME_POINTS_MAX = 200
/** People read no more; a table has all of them. */
const ROWS_MAX = 50

export interface TopItem {
  /** A text for each of the list's columns. */
  names: readonly string[]
  value: number
  /** As people read it. */
  text: string
  before?: number | undefined
  /** Index of the colour of its bar. */
  colour?: number
}

interface TopListProps {
  /** Of its columns, that of the figure last. */
  heads: readonly string[]
  items: readonly TopItem[]
  /** When the values before were: `a day earlier`; empty without a comparison. */
  when: string
}

export function TopList({ heads, items, when }: TopListProps) {
  const largest = [...items].sort((one, other) => other.value - one.value)
  const shown = largest.slice(0, ROWS_MAX)
  const most = shown[0]?.value ?? 0
  return (
    <div class="result-scroll top-list">
      <table class="result-table">
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" class={at === heads.length - 1 ? 'number' : ''}>
                <bdi>{cutText(showUnseen(head), NAME_POINTS_MAX)}</bdi>
              </th>
            ))}
            {when !== '' && <th scope="col">than {when}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr key={item.names.join('\n')}>
              {item.names.map((name, at) => (
                <td key={heads[at]}>
                  <bdi class="top-name">{cutText(showUnseen(name), NAME_POINTS_MAX)}</bdi>
                  {at === item.names.length - 1 && <Bar item={item} most={most} />}
                </td>
              ))}
              <td class="number">{item.text}</td>
              {when !== '' && <td>{item.before === undefined ? 'new' : describeChange(item.value, item.before)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {largest.length > shown.length && (
        <p class="hint top-more">
          The {ROWS_MAX} largest of {largest.length.toLocaleString('en')}; the table has all of them.
        </p>
      )}
    </div>
  )
}

function Bar({ item: { value, colour = 0 }, most }: { item: TopItem; most: number }) {
  const share = most > 0 ? Math.max(0, value) / most : 0
  return <div class="top-bar" style={{ width: `${(share * 100).toFixed(2)}%`, background: seriesColour(colour) }} />
}
