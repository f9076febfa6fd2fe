/** Something to be done to an annotation of a monitor. Deliberately not here: doing it. */
export type SpanOperation =
  | {
      readonly kind: 'open'
      readonly id: string
      readonly atMs: number
      readonly datasets: readonly string[]
      readonly type: string
      readonly title: string
      readonly description: string
      /** In the history; by default the monitor's. */
      readonly name?: string
    }
  | {
      readonly kind: 'close'
      readonly id: string
      readonly atMs: number
      readonly name?: string
      /** The end is for the history only: the annotation stays without one. */
      readonly isUnmarked?: boolean
    }
