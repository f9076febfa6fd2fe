/** The largest first, each with a bar as long as its share of the largest. */
import { cutText } from '@deployment-annotations/contract/text'
import './top-list.css'
import { seriesColour } from '../address/colours.ts'
import { type CellActs, type CellPlace, type CellValue, placeOf, useCellActs } from './cell-acts.tsx'
import { describeChange } from './change.ts'
import { showUnseen } from './name.ts'

const NAME_POINTS_MAX = 200
/** People read no more; a table has all of them. */
const ROWS_MAX = 50

export interface TopItem {
  /** A text for each of the list's names. */
  names: readonly string[]
  /** Of the figure that the list is sorted by. */
  value: number
  /** Each figure, as people read it. */
  texts: readonly string[]
  before?: number | undefined
  /** Index of the colour of its bar. */
  colour?: number
  /** Of the answer, where something can be done with its names. */
  row?: number
}

/** A figure of each item. */
interface TopFigure {
  name: string
  /** The list is sorted by it, and its bars are drawn. */
  isChosen: boolean
  /** Chooses it; absent where there is no other. */
  choose?: () => void
}

interface TopListProps {
  /** Of the columns of names, each with its index in the answer. */
  heads: readonly { name: string; column: number }[]
  figures: readonly TopFigure[]
  items: readonly TopItem[]
  /** When the values before were: `a day earlier`; empty without a comparison. */
  when: string
  /** What can be done with a name. */
  acts?: CellActs | undefined
  valueAt?: (place: CellPlace) => CellValue
}

const NOTHING = (): CellValue => ({ field: '', type: '', value: undefined })

export function TopList({ heads, figures, items, when, acts, valueAt = NOTHING }: TopListProps) {
  const largest = [...items].sort((one, other) => other.value - one.value)
  const shown = largest.slice(0, ROWS_MAX)
  const most = shown[0]?.value ?? 0
  const { listeners, menu } = useCellActs(acts, valueAt)
  const acting = heads.map(({ name }) => acts?.isFor(name) === true)
  const first = acting.indexOf(true)
  return (
    <div class="result-scroll top-list">
      <table class="result-table" {...listeners}>
        <Head heads={heads} figures={figures} when={when} />
        <tbody>
          {shown.map((item, at) => (
            <tr key={item.names.join('\n')}>
              {item.names.map((name, n) => (
                <td key={heads[n]?.name}>
                  <bdi
                    class="top-name"
                    {...(acting[n] && placeOf({ row: item.row ?? 0, column: heads[n]?.column ?? 0 }, at === 0 && n === first))}
                  >
                    {cutText(showUnseen(name), NAME_POINTS_MAX)}
                  </bdi>
                  {n === item.names.length - 1 && <Bar item={item} most={most} />}
                </td>
              ))}
              {item.texts.map((text, n) => (
                <td key={figures[n]?.name} class={figures[n]?.isChosen ? 'number is-chosen' : 'number'}>
                  {text}
                </td>
              ))}
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
      {menu}
    </div>
  )
}

function Head({ heads, figures, when }: Pick<TopListProps, 'heads' | 'figures' | 'when'>) {
  return (
    <thead>
      <tr>
        {heads.map(({ name }) => (
          <th key={name} scope="col">
            <Words text={name} />
          </th>
        ))}
        {figures.map(({ name, isChosen, choose }) => (
          <th key={name} scope="col" class="number" aria-sort={choose && (isChosen ? 'descending' : 'none')}>
            {choose ? (
              <button type="button" onClick={choose}>
                <Words text={name} />
              </button>
            ) : (
              <Words text={name} />
            )}
          </th>
        ))}
        {when !== '' && <th scope="col">than {when}</th>}
      </tr>
    </thead>
  )
}

function Words({ text }: { text: string }) {
  return <bdi>{cutText(showUnseen(text), NAME_POINTS_MAX)}</bdi>
}

function Bar({ item: { value, colour = 0 }, most }: { item: TopItem; most: number }) {
  const share = most > 0 ? Math.max(0, value) / most : 0
  return <div class="top-bar" style={{ width: `${(share * 100).toFixed(2)}%`, background: seriesColour(colour) }} />
}
