/**
 * The closed lists of legacy queries: what a filter and an aggregation can be.
 */

/** Filters of other filters. */
export const LEGACY_COMBINATIONS = ['and', 'or', 'not'] as const

/** Filters of a field. */
// biome-ignore format: a list
export const LEGACY_TESTS = [
  '==', '!=', '>', '>=', '<', '<=', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'exists', 'not-exists', 'starts-with', 'not-starts-with',
  'ends-with', 'not-ends-with', 'contains', 'not-contains', 'regexp', 'not-regexp',
] as const

// biome-ignore format: a list
export const LEGACY_AGGREGATIONS = [
  'count', 'distinct', 'sum', 'avg', 'min', 'max', 'topk', 'percentiles', 'histogram', 'standardDeviation', 'stdev', 'variance', 'argmin',
  'argmax', 'makeset', 'makelist', 'rate', 'distinctif', 'countif', 'sumif', 'avgif', 'minif', 'maxif',
] as const
