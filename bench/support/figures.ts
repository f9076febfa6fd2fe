/** What is measured: quantiles of times, processor time and memory of a process; and how a figure is printed beside what is wanted. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** @param share 0.5 for the median */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The quantile of how long some took. */
export const quantileMs = (some: readonly { ms: number }[], share: number) =>
  quantile(
    some.map(({ ms }) => ms),
    share,
  )

export const median = (values: readonly number[]) => quantile(values, 0.5)

/** The most resident memory of a process while `task` runs, and how much more that is than before. */
export async function watch<T>(pid: number, task: () => Promise<T>): Promise<{ value: T; rssMb: number; grownMb: number }> {
  const before = rssMb(pid)
  let [rss, isOn] = [before, true]
  const watching = (async () => {
    while (isOn) {
      rss = Math.max(rss, rssMb(pid))
      await sleep(20)
    }
  })()
  try {
    const value = await task()
    return { value, rssMb: rss, grownMb: rss - before }
  } finally {
    isOn = false
    await watching
  }
}

export function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

/** Processor time that a process has used, in ms: unlike a rate, it hardly depends on what else the machine does. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** @returns what `task` gives, how long it took, and the processor time of a process meanwhile */
export async function timed<T>(pid: number, task: () => Promise<T>): Promise<{ value: T; seconds: number; cpuMs: number }> {
  const [from, cpu] = [performance.now(), cpuMs(pid)]
  const value = await task()
  return { value, seconds: (performance.now() - from) / 1_000, cpuMs: cpuMs(pid) - cpu }
}

/** Prints a row of a table; a process whose figure misses what is wanted exits 1. */
export function report(what: string, figure: string, wanted = '', isMet = true): void {
  console.log(`| ${what} | ${figure} | ${wanted}${isMet ? '' : ': MISSED'} |`)
  if (!isMet) process.exitCode = 1
}

/** Prints the head of the table that {@link report} fills. */
export function startTable(): void {
  console.log('| what | measured | wanted |\n|---|---|---|')
}
