/** How the page begins: the first steps until there are events of one's own, and the banner above made-up ones. */
import './empty.css'
import { useRef, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import type { Explored } from '../charts/use-explored.ts'
import { later } from '../parts/later.tsx'

const laterFirstRun = later(async () => (await import('./first-run.tsx')).FirstRun)
/** How `npm start` describes its datasets. */
const MADE_UP = /^(Made-up data): (.*)/
const HIDDEN_KEY = 'example-hidden'

export function Beginning({ explored: { datasets, known, refresh } }: { explored: Explored }) {
  const { apl, datasets: asked, annotations: selected } = view.value
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN_KEY) !== null)
  const own = datasets?.filter(({ description }) => !MADE_UP.test(description))
  const made = datasets?.filter((one) => !own?.includes(one)) ?? []
  // The steps stay when the first one is done.
  const isNew = useRef(false)
  isNew.current ||= own?.length === 0
  if (made.length > 0 && isHidden) return null
  const [, what, why] = MADE_UP.exec(made[0]?.description ?? '') ?? []
  const mark = known.find((one) => !made.some(({ name }) => one.datasets.includes(name)))
  const hide = () => {
    localStorage.setItem(HIDDEN_KEY, 'true')
    setHidden(true)
  }
  return (
    <>
      {isNew.current && apl === '' && asked.length === 0 && selected.length === 0 && (
        <laterFirstRun.View own={own?.[0]} mark={mark} onLook={refresh} />
      )}
      {what && (
        <p class="row made-up">
          <strong>{what}</strong> {why}
          <button type="button" class="quiet" onClick={hide}>
            Hide
          </button>
        </p>
      )}
    </>
  )
}
