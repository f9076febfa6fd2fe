/** The page of charts: events over time with annotations on them, and the list of events. */
import './explore.css'
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { placeOf } from '../address/view.ts'
import { ChartPage } from '../charts/chart-page.tsx'
import { useExplored } from '../charts/use-explored.ts'
import { later } from '../parts/later.tsx'
import { unfinished } from '../query/written-call.ts'
import { Charts } from './charts.tsx'
import { Editor, More, Subject } from './controls.tsx'
import { Beginning } from './empty.tsx'

const laterFields = later(async () => (await import('../fields/field-list.tsx')).FieldList)

export function Explore() {
  const explored = useExplored(view.value)
  const [isBegun, setWriting] = useState(unfinished.isThere)
  const isWriting = isBegun || view.value.apl !== ''
  const { listRange, fieldsOf, eventsOf, version } = explored
  const hasFields = view.value.fields && listRange !== undefined
  const isHome = placeOf(view.value) === 'home' && !isWriting
  return (
    <div class="explore">
      <h1 class="visually-hidden">Explore</h1>
      <Beginning explored={explored} />
      <ChartPage
        explored={explored}
        first={<Subject {...{ explored, isWriting, isHome }} />}
        controls={!isHome && <More {...{ explored, isWriting, setWriting }} />}
        below={isWriting && <Editor explored={explored} setWriting={setWriting} />}
      >
        {(shown, errors) => (
          <div class={hasFields ? 'explore-body has-fields' : 'explore-body'}>
            {hasFields && <laterFields.View datasets={fieldsOf} range={listRange} version={version} hasList={eventsOf !== ''} />}
            <Charts explored={explored} shown={shown} errors={errors} />
          </div>
        )}
      </ChartPage>
    </div>
  )
}
