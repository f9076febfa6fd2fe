/**
 * Real series as deployments that changed nothing: random moments of the files of a folder. A file has lines `timestamp,value`;
 * `labels.json` has the times of each file that people called anomalous, which are left out. An hour and a day of a file are as long as
 * its own steps make them: sixty steps before a moment, ten after it, the same a day and a week earlier where the file has them, and as its
 * past as many earlier steps as a fortnight has minutes. The first three days are left out.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chance } from '../../packages/compare/__tests__/support/random.ts'
import type { Compared, JudgedSeries, Sides } from '../../packages/compare/src/series.ts'
import { AFTER, BEFORE, DAY, list, PAST_DAYS } from './drawing.ts'

const DAY_MS = 86_400_000
const SEASONS_DAYS = [1, 7]
const FIRST_DAYS = 3
const PAST = PAST_DAYS * DAY
/** Files of counts; of any other the values are measurements. */
const COUNTS = /Twitter_volume|nyc_taxi|request_count/

interface Sample {
  timeMs: number
  value: number
}

export interface RealSeries {
  /** The path within the folder. */
  file: string
  group: string
  samples: Sample[]
  anomalies: readonly (readonly [number, number])[]
}

const toMs = (text: string) => Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`)

export function readSeriesIn(folder: string): RealSeries[] {
  const labels = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')) as Record<string, [string, string][]>
  return globSync('*/*.csv', { cwd: folder })
    .sort()
    .map((file) => ({
      file,
      group: file.includes('nyc_taxi') ? 'taxi' : (file.split('/')[0] ?? ''),
      samples: readFileSync(join(folder, file), 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(','))
        .map(([time = '', value]) => ({ timeMs: toMs(time), value: Number(value) })),
      anomalies: (labels[file] ?? []).map(([from, to]) => [toMs(from), toMs(to)] as const),
    }))
}

/** @param times factor of the values after the moment @returns so many moments, less those that touch an anomaly */
export function drawMoments(
  chance: Chance,
  { samples, anomalies, file }: RealSeries,
  count: number,
  times: number,
): JudgedSeries[] {
  const timeAt = (at: number) => samples[at]?.timeMs ?? 0
  const stepMs = (timeAt(samples.length - 1) - timeAt(0)) / (samples.length - 1)
  const day = Math.round(DAY_MS / stepMs)
  const isUsual = (from: number, to: number) => anomalies.every(([start, end]) => timeAt(from) > end || timeAt(to) < start)
  const compare = <T>(toBucket: (value: number) => T, none: T) => {
    const [usual, changed] = [1, times].map((factor) => samples.map(({ value }) => toBucket(value * factor))) as [T[], T[]]
    const past = usual.map((bucket, at) => (isUsual(at, at) ? bucket : none))
    const sidesAt = (at: number, line: readonly T[]): Sides<T> => ({
      before: usual.slice(at - BEFORE, at),
      after: line.slice(at, at + AFTER),
    })
    return (at: number): Compared<T> => ({
      ...sidesAt(at, changed),
      seasons: SEASONS_DAYS.flatMap((days) => (at - days * day < BEFORE ? [] : [sidesAt(at - days * day, usual)])),
      past: past.slice(Math.max(0, at - PAST), at),
    })
  }
  const countAt = compare((value) => ({ events: Math.round(value), outOf: stepMs / 60_000 }), { events: 0, outOf: 0 })
  const measureAt = compare<number | null>((value) => value, null)
  const first = Math.max(BEFORE, FIRST_DAYS * day)
  return list(count, () => first + Math.floor(chance.uniform() * (samples.length - AFTER - first)))
    .filter((at) => isUsual(at - BEFORE, at + AFTER - 1))
    .map((at) => ({
      bucketMs: DAY_MS / day,
      ...(COUNTS.test(file) ? { kind: 'count', ...countAt(at) } : { kind: 'measurement', ...measureAt(at) }),
    }))
}
