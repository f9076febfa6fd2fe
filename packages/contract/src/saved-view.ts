/**
 * Saved views, which are what a page of charts shows, under a name: their paths, closed lists and bounds. Specific to this service.
 * The shapes are in schemas/saved-view.ts.
 */
import { toSegment } from './text.ts'

export const SAVED_VIEWS_PATH = '/v2/saved-views'

/** @returns the path of one saved view, its id escaped */
export function savedViewPath(id: string): string {
  return `${SAVED_VIEWS_PATH}/${toSegment(id)}`
}

export const SAVED_VIEW_ID_PATTERN = /^view_[a-z0-9]{1,64}$/
/** The longest name, in Unicode code points. */
export const SAVED_VIEW_NAME_POINTS_MAX = 256
/** The longest query, the same as of a monitor, because lists of views are loaded whole. Longer queries can be run, but not saved. */
export const SAVED_VIEW_QUERY_POINTS_MAX = 8_192
/** How many charts one view can have. */
export const SAVED_VIEW_CHARTS_MAX = 24
/** The longest filter, which is a predicate such as `status == 500`. */
export const SAVED_VIEW_FILTER_POINTS_MAX = 1_024
export const SAVED_VIEW_COLUMN_POINTS_MAX = 1_024
/** A table is sorted by one column. */
export const SAVED_VIEW_ORDER_ITEMS_MAX = 1
/** How many items each list of a view can have. */
export const SAVED_VIEW_ITEMS_MAX = 100
/** The longest time, which is `now-3h` or RFC 3339. */
/** More choices above the charts than anybody reads. */
export const SAVED_VIEW_VARIABLES_MAX = 10
export const SAVED_VIEW_TIME_LENGTH_MAX = 64
/** How much earlier the charts are that a view compares its own with. */
export const SAVED_VIEW_COMPARISONS = ['1h', '1d', '7d'] as const
/** How the result of a query, or the events of datasets, can be shown. */
export const RESULT_KINDS = ['line', 'area', 'bars', 'stacked', 'top', 'number', 'heat', 'table', 'log'] as const
/** The width of the intervals of charts: `500ms`, `30s`, `5m`, `2h`, `1d`. */
export const BIN_WIDTH_PATTERN = /^[1-9][0-9]{0,5}(ms|s|m|h|d)$/
/** How many saved views one service can have. */
export const SAVED_VIEWS_MAX = 1_000
