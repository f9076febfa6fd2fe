/**
 * Parts that a power cut left broken although nothing is missing: the engine does not sync what it merges, and keeps the parts that it
 * merged until the system has surely written the new one. At a start it sets the broken one aside and goes on with those. Only the files
 * from before the engine opened show that they are all there, because afterwards it merges them again.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Engine } from '../engine/engine.ts'
import type { EngineFiles } from './engine-files.ts'

/** A partition, and the first and last of the numbers that inserts got; a part that was merged has those of all its parts. */
const PART = /^(?:broken-on-start_)?([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/
/** The engine lists such a part as one that it has no need of. */
const NEEDLESS = 'ignored_'

export class BrokenMerges {
  /** The names in each table's directory, and those in `detached/` of it. */
  readonly #before = new Map<string, { parts: string[]; detached: string[] }>()

  /** Call this before the engine opens. */
  constructor(files: EngineFiles) {
    for (const table of files.tables()) {
      const path = files.dataPath(table, files.readDefinition(table))
      if (path === undefined || !existsSync(path)) continue
      const detached = join(path, 'detached')
      this.#before.set(table, { parts: readdirSync(path), detached: existsSync(detached) ? readdirSync(detached) : [] })
    }
  }

  /** Renames parts that were found broken at this start, and whose events are all in other parts, so that they are no damage. */
  async setAside(engine: Engine): Promise<void> {
    const broken = await engine.select<{ owner: string; part: string; path: string }>(
      `SELECT table AS owner, name AS part, path FROM system.detached_parts WHERE database = currentDatabase() AND reason = 'broken-on-start'`,
    )
    for (const { owner, part, path } of broken) {
      const { parts = [], detached = [] } = this.#before.get(owner) ?? {}
      // What an earlier start set aside was judged then.
      if (detached.includes(part)) continue
      const brokenToo = new Set(
        broken.filter((one) => one.owner === owner).map((one) => one.part.replace('broken-on-start_', '')),
      )
      const whole = parts.filter((one) => !brokenToo.has(one))
      if (!isCovered(part, whole)) continue
      const aside = join(dirname(path), `${NEEDLESS}${basename(path).replace('broken-on-start_', '')}`)
      // The same merge may have been broken by an earlier power cut; what is left of that was as needless.
      rmSync(aside, { recursive: true, force: true })
      renameSync(path, aside)
    }
  }
}

/** Whether each insert that a part has is in one of the others. One of a single insert has no other. */
function isCovered(part: string, others: readonly string[]): boolean {
  const [, partition, first = '', last = ''] = PART.exec(part) ?? []
  const ranges = others.flatMap((name) => {
    const [, its, from, to] = PART.exec(name) ?? []
    return its === partition && from !== undefined ? [[Number(from), Number(to)] as const] : []
  })
  let next = Number(first)
  for (const [from, to] of ranges.sort(([one], [two]) => one - two)) if (from <= next && to >= next) next = to + 1
  return partition !== undefined && next > Number(last)
}
