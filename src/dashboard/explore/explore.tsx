/** The page of charts: events over time with the annotations on them. */
import { useMemo } from 'preact/hooks'
import { EventList } from '../events/event-list.tsx'
import { queryDatasets } from '../events/source.ts'
import { quoteDataset } from '../service/query.ts'
import { navigate, view } from '../view/navigation.ts'
import { resolveRange } from '../view/range.ts'

export function Explore() {
  const { datasets, apl, startTime, endTime, live, utc } = view.value
  const range = useMemo(() => resolveRange(startTime, endTime, Date.now()), [startTime, endTime])
  const query = apl || queryDatasets(datasets.map(quoteDataset))
  return (
    <>
      <h1>Explore</h1>
      {query && (
        <EventList
          apl={query}
          range={range}
          isLive={live}
          onLiveChange={(isLive) => navigate({ live: isLive }, true)}
          utc={utc}
        />
      )}
    </>
  )
}
