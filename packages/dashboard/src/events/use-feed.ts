/** The feed of a query, made again when what is listed changes; the one before is shown until the first page of the next is there. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Range } from '../address/range.ts'
import { whenLoaded } from '../parts/use-load.ts'
import { queryEvents } from '../service/query.ts'
import { type Ask, Feed } from './feed.ts'

/** The charts above the list are read first; the engine answers them sooner while it has nothing else to do. */
const CHARTS_FIRST_MS = 500

/** @returns what asks for the first page once the charts are there, and for anything else at once */
function afterCharts(): Ask {
  let charts: Promise<void> | undefined
  return async (query, signal) => {
    charts ??= whenLoaded(CHARTS_FIRST_MS)
    await charts
    signal.throwIfAborted()
    return queryEvents(query, signal)
  }
}

interface ListedFeed {
  feed: Feed
  /** What is shown: of the feed, or of the one before where that was of the same query. */
  pages: Feed['pages']['value']
}

export function useFeed(apl: string, range: Range): ListedFeed {
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
