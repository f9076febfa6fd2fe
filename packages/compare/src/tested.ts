/** What a test of a series says; the same for counts and for ranks. */
export interface Tested {
  /** A rate, or a median. */
  before: number
  after: number
  /** Of `before`: 1 is twice as much. Infinite where there was nothing before. */
  change: number
  /** Ends of the interval of the change. */
  low: number
  high: number
  /** How probable so high a value after is if nothing has changed; and so low a one. */
  pHigher: number
  pLower: number
}
