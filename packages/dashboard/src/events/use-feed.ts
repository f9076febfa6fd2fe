/** Creates a feed for a query, and a new one when what is listed changes; the previous rows are shown until its first page arrives. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Range } from '../address/range.ts'
import { whenLoaded } from '../parts/use-load.ts'
import { queryEvents } from '../service/query.ts'
import { type Ask, Feed } from './feed.ts'

/** The charts above the list are read first, and the engine answers them sooner while it has nothing else to do. */
const CHARTS_FIRST_MS = 500

/** @returns a function that waits for the charts before the first page, and requests everything else at once */
function afterCharts(): Ask {
  let charts: Promise<void> | undefined
  return async (query, signal) => {
    charts ??= whenLoaded(CHARTS_FIRST_MS)
    await charts
    signal.throwIfAborted()
    return queryEvents(query, signal)
  }
}

/** @returns the feed, and the rows to show: those of the feed, or of the previous feed if it had the same query */
export function useFeed(apl: string, range: Range) {
  const feed = useMemo(() => new Feed(apl, range, afterCharts()), [apl, range])
  const before = useRef<{ apl: string; feed: Feed } | undefined>(undefined)
  useEffect(() => {
    void feed.loadMore()
    return () => feed.close()
  }, [feed])
  const pages = feed.pages.value
  if (pages.total !== undefined) before.current = { apl, feed }
  const shown = pages.total === undefined && before.current?.apl === apl ? before.current.feed : feed
  return { feed, pages: shown.pages.value }
}
