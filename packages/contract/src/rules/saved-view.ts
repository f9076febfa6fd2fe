/**
 * What the members of a saved view must obey.
 */

export const SAVED_VIEW_ID_PATTERN = /^view_[a-z0-9]{1,64}$/
/** In Unicode code points. */
export const SAVED_VIEW_NAME_POINTS_MAX = 256
/** As the name, and as the query of a monitor: lists of views are loaded whole. Longer queries can be run, and not saved. */
export const SAVED_VIEW_QUERY_POINTS_MAX = 8_192
/** Of one view. */
export const SAVED_VIEW_CHARTS_MAX = 24
/** A predicate such as `status == 500`. */
export const SAVED_VIEW_FILTER_POINTS_MAX = 1_024
export const SAVED_VIEW_COLUMN_POINTS_MAX = 1_024
/** A table is sorted by one column. */
export const SAVED_VIEW_ORDER_ITEMS_MAX = 1
/** Of each list of a view. */
export const SAVED_VIEW_ITEMS_MAX = 100
/** `now-3h`, or RFC 3339. */
export const SAVED_VIEW_TIME_LENGTH_MAX = 64
/** With how much earlier the charts are compared. */
export const SAVED_VIEW_COMPARISONS = ['1h', '1d', '7d'] as const
/** How the result of a query, or the events of datasets, are shown. */
export const RESULT_KINDS = ['line', 'area', 'bars', 'stacked', 'top', 'number', 'heat', 'table', 'log'] as const
/** Of the values of charts: `percent` of 100, `fraction` of 1. */
export const VALUE_UNITS = ['none', 'bytes', 'ns', 'us', 'ms', 's', 'percent', 'fraction'] as const
/** Width of the intervals of charts: `500ms`, `30s`, `5m`, `2h`, `1d`. */
export const BIN_WIDTH_PATTERN = /^[1-9][0-9]{0,5}(ms|s|m|h|d)$/
/** Of one service. */
export const SAVED_VIEWS_MAX = 1_000
