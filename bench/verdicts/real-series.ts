/**
 * Real series as deployments that changed nothing: random moments of the files of a folder. A file has lines `timestamp,value`;
 * `labels.json` has the times of each file that people called anomalous, which are left out. An hour and a day of a file are as long as
 * its own steps make them: sixty steps before a moment, ten after it, and the same a day and a week earlier where the file has them.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chance } from '../../packages/compare/__tests__/support/random.ts'
import type { Series, Sides } from '../../packages/compare/src/series.ts'

const BEFORE = 60
const AFTER = 10
const DAY_MS = 86_400_000
const SEASONS_MS = [DAY_MS, 7 * DAY_MS]
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
export function drawMoments(chance: Chance, { samples, anomalies, file }: RealSeries, count: number, times: number): Series[] {
  const timeAt = (at: number) => samples[at]?.timeMs ?? 0
  const stepMs = (timeAt(samples.length - 1) - timeAt(0)) / (samples.length - 1)
  const moments = Array.from({ length: count }, () => BEFORE + Math.floor(chance.uniform() * (samples.length - AFTER - BEFORE)))
  const isUsual = (at: number) => anomalies.every(([from, to]) => timeAt(at - BEFORE) > to || timeAt(at + AFTER - 1) < from)
  const sidesAt = (at: number, factor: number): Sides<number> => {
    const values = (from: number, length: number) => samples.slice(from, from + length).map(({ value }) => value)
    return { before: values(at - BEFORE, BEFORE), after: values(at, AFTER).map((value) => value * factor) }
  }
  return moments.filter(isUsual).map((at) => {
    const seasons = SEASONS_MS.map((agoMs) => at - Math.round(agoMs / stepMs)).filter((earlier) => earlier >= BEFORE)
    const all = { ...sidesAt(at, times), seasons: seasons.map((earlier) => sidesAt(earlier, 1)) }
    return COUNTS.test(file) ? toCounts(all, stepMs / 60_000) : { kind: 'measurement', ...all }
  })
}

function toCounts({ seasons, ...sides }: Sides<number> & { seasons: Sides<number>[] }, minutes: number): Series {
  const count = ({ before, after }: Sides<number>) => {
    const buckets = (values: readonly number[]) => values.map((value) => ({ events: Math.round(value), outOf: minutes }))
    return { before: buckets(before), after: buckets(after) }
  }
  return { kind: 'count', ...count(sides), seasons: seasons.map(count) }
}
