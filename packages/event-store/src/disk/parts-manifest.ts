/**
 * The manifest of parts: which parts the tables of events had when the store last looked, with how many events, in `<data>/manifest`. A
 * start holds it against the files, because the engine neither misses a part whose directory is gone, nor says what a broken one had.
 * - The files are listed before the engine opens, because merges would hide a gap between parts soon afterwards.
 * - A part is there if parts that are whole have all of its events: one into which it was merged, or those that it was merged from. The
 *   engine does not sync what it merges, and keeps those until the system has surely written it; a power cut may break it, which is no
 *   damage.
 * - The store looks at intervals and at its end. What it does not know is no loss: parts that are younger, and those of a table from which
 *   events are being removed. Parts whose events were all too old may be gone.
 * - How many events a broken part had that is younger is unknown. It was merged from those that are there if they begin and end as it does:
 *   they are kept together for minutes, and a number between them that none has is of an insert that was repeated or of a changed table.
 * Deliberately not here: whole tables that are missing, of which the records know.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { quoteText } from '@deployment-annotations/apl/sql/quoting'
import { writeOwnerFile } from '@deployment-annotations/runtime/owner-file'
import type { Engine } from '../engine/engine.ts'
import { TableWrites } from '../tables/table-writes.ts'
import { type EngineFiles, readIfThere, retentionDaysOf } from './engine-files.ts'

/** The first and last of the numbers that inserts got; a part that was merged has those of all its parts. */
const PART = /^(?:[a-z-]+_)?all_(\d+)_(\d+)_\d+(?:_\d+)?$/
/** The reasons of the engine that mean damage; parts with other reasons are remains of work that was repeated. */
const DAMAGE = `('broken', 'broken-on-start', 'unexpected')`
/** What the engine puts before the name of such a part. */
const BROKEN = /^(?:broken|broken-on-start|unexpected)_/
/** The engine lists such a part as one that it has no need of. */
const NEEDLESS = 'ignored_'
const DAY_SECONDS = 86_400
/** An insert that ended so long ago, in seconds, is on the disk with everything that leads to it. */
const SETTLED_SECONDS = 5

/** What is wrong if there is no manifest. */
export const NO_MANIFEST =
  'the list of the parts of all tables is missing or cannot be read, so that missing parts cannot be noticed'

interface Part {
  name: string
  /** How many events it has; of a lost one, how many are missing. */
  rows: number
  /** The time of the latest of them, in seconds since the epoch, if the table had a retention. */
  newest?: number
  isLost?: true
  /** It is not in the manifest. */
  isYounger?: boolean
}

/** The parts by their table. */
type Parts = Record<string, Part[]>

export class PartsManifest {
  readonly path: string
  /** Whether there are tables, and no manifest of them that can be read. */
  readonly isMissing: boolean
  readonly #files: EngineFiles
  readonly #known: Parts
  /** Nothing is written that is there already. */
  #saved: string
  /** The names in each table's directory before the engine opened, and those in `detached/` of it. */
  readonly #before = new Map<string, { path: string; parts: string[]; detached: string[] }>()
  readonly #removals = new TableWrites()

  /** Call this before the engine opens. */
  constructor(files: EngineFiles) {
    this.path = join(files.dataDir, 'manifest')
    this.#files = files
    this.#saved = readChecked(this.path)
    this.isMissing = this.#saved === '' && files.definitions.tables().length > 0
    const known = Object.entries(JSON.parse(this.#saved || '{}') as Parts)
    this.#known = Object.fromEntries(known.filter(([, parts]) => parts.length > 0))
    for (const table of files.definitions.tables()) {
      const path = files.dataPath(table)
      if (path === undefined) continue
      const parts = readdirSync(path).filter((name) => PART.test(name))
      const detached = join(path, 'detached')
      this.#before.set(table, { path, parts: parts.sort(byNumbers), detached: existsSync(detached) ? readdirSync(detached) : [] })
    }
  }

  /** @returns how many events of a table are missing, of all if the whole table is */
  rowsMissing(table: string, isWhole: boolean): number {
    const parts = this.#known[table]?.filter(({ isLost }) => isLost || isWhole) ?? []
    return parts.reduce((sum, { rows }) => sum + rows, 0)
  }

  /**
   * Finds what is missing, and notes it until somebody deletes the manifest or the table. Broken parts whose events are all in others are
   * renamed, so that they are no damage.
   * @returns where a missing part was, by the table
   */
  async findLost(engine: Engine): Promise<Map<string, string>> {
    const broken = await engine.select<{ owner: string; name: string; path: string }>(
      `SELECT table AS owner, name, path FROM system.detached_parts WHERE database = currentDatabase() AND reason IN ${DAMAGE}`,
    )
    const paths = new Map<string, string>()
    for (const [table, { path, parts, detached }] of this.#before) {
      const retentionDays = retentionDaysOf(this.#files.definitions.read(table))
      const known = (this.#known[table] ?? []).filter((part) => part.isLost || !isExpired(part, retentionDays))
      // What an earlier start set aside was judged then.
      const found = broken.filter(({ owner, name }) => owner === table && (this.isMissing || !detached.includes(name)))
      const names = found.map(({ name }) => name.replace(BROKEN, ''))
      const whole = parts.filter((name) => !names.includes(name) && existsSync(join(path, name)))
      for (const part of known) {
        const rows = part.isLost ? 0 : countMissing(part, whole, path)
        if (rows > 0) Object.assign(part, { rows, isLost: true })
      }
      for (const [n, one] of found.entries()) {
        const unknown: Part = { name: one.name, rows: Number.POSITIVE_INFINITY, isYounger: !this.isMissing }
        const part = known.find(({ name }) => name === names[n]) ?? unknown
        if (!part.isLost && countMissing(part, whole, path) === 0) ignoreBroken(one.path)
        else if (!part.isLost) known.push({ name: one.name, rows: 0, isLost: true })
      }
      this.#known[table] = known
      const lost = known.find(({ isLost }) => isLost)
      if (lost) paths.set(table, found[0]?.path ?? join(path, lost.name))
    }
    this.#save()
    return paths
  }

  /** Notes the parts that are there, unless events were removed meanwhile. @param settledSeconds how long ago their inserts ended */
  async note(engine: Engine, settledSeconds = SETTLED_SECONDS): Promise<void> {
    const fromMs = performance.now()
    const listed = await engine.select<{ owner: string; names: string[]; counts: number[]; hasDeleted: number }>(
      `SELECT table AS owner, groupArray(name) AS names, groupArray(toFloat64(rows)) AS counts, max(has_lightweight_delete) AS hasDeleted
        FROM system.parts WHERE active AND rows > 0 AND database = currentDatabase() AND startsWith(table, 'events_')
          AND (level > 0 OR modification_time <= now() - ${settledSeconds}) GROUP BY table`,
    )
    // A table that cannot be read keeps none of the others from being noted.
    const failures: unknown[] = []
    for (const { owner, names, counts, hasDeleted } of listed) {
      const known = (this.#known[owner] ?? []).filter(({ name, isLost }) => isLost || names.includes(name))
      const isNew = (name: string) => !known.some((part) => part.name === name && !part.isLost)
      const added = names.map((name, n): Part => ({ name, rows: counts[n] ?? 0 })).filter(({ name }) => isNew(name))
      const mayLack = () => Number(hasDeleted) === 1 || retentionDaysOf(this.#files.definitions.read(owner)) > 0
      const isExact = added.length === 0 || !mayLack()
      const read = isExact ? added : await readParts(engine, owner, added).catch((error: unknown) => void failures.push(error))
      if (read && this.#removals.isQuiet(owner, performance.now() - fromMs)) this.#known[owner] = [...known, ...read]
    }
    this.#save()
    if (failures.length > 0) throw failures[0]
  }

  /** Runs what removes events of a table, whose parts may then vanish at any time. */
  async whileRemoving(table: string, remove: () => Promise<void>): Promise<void> {
    this.#known[table] = this.#known[table]?.filter(({ isLost }) => isLost) ?? []
    this.#save()
    await this.#removals.during(table, remove)
  }

  #save(): void {
    const text = JSON.stringify(this.#known)
    if (text === this.#saved) return
    try {
      writeOwnerFile(this.path, `${sha256(text)}\n${text}`)
      this.#saved = text
    } catch {
      // Nothing is known on a disk that is full, where events are removed to make room.
      rmSync(this.path, { force: true })
      this.#saved = ''
    }
  }
}

/** @returns the text without its checksum; an empty one if it is not there, or not as it was written */
function readChecked(path: string): string {
  const [sum, text = ''] = (readIfThere(path) ?? '').split('\n')
  return sum === sha256(text) ? text : ''
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Reads how many events parts have without those that were deleted, and the latest of their times. */
function readParts(engine: Engine, table: string, parts: readonly Part[]): Promise<Part[]> {
  const names = parts.map(({ name }) => quoteText(name)).join(', ')
  return engine.bulk.select<Part>(
    `SELECT _part AS name, toFloat64(count()) AS rows, toFloat64(toUnixTimestamp64Second(max(_time))) AS newest
      FROM ${table} WHERE _part IN (${names}) GROUP BY name`,
  )
}

/** Whether all of its events may have been too old. */
function isExpired({ newest }: Part, retentionDays: number): boolean {
  return retentionDays > 0 && (newest === undefined || newest + retentionDays * DAY_SECONDS <= Date.now() / 1_000)
}

/** @param whole in order. @returns how many events of a part are in none of the whole ones */
function countMissing({ name, rows, isYounger }: Part, whole: readonly string[], path: string): number {
  const [first, last] = numbersOf(name)
  let [next, found, isGap] = [first, 0, false]
  for (const other of whole) {
    const [from, to] = numbersOf(other)
    // What is within another one was merged into it.
    if (to < next || from > last) continue
    isGap ||= from > next && (next === first || !isYounger)
    found += Number(readIfThere(join(path, other, 'count.txt')) ?? 0)
    next = to + 1
  }
  // A number that is in no part may be of an insert that failed, of a change of the table, or of events that were removed.
  return isGap || next <= last ? Math.max(0, rows - found) : 0
}

function byNumbers(one: string, other: string): number {
  const [[from, to], [first, last]] = [numbersOf(one), numbersOf(other)]
  return from - first || last - to
}

function numbersOf(part: string): [first: number, last: number] {
  const [, first = '-Infinity', last = 'Infinity'] = PART.exec(part) ?? []
  return [Number(first), Number(last)]
}

/** Renames a broken part, so that it is no damage. */
function ignoreBroken(path: string): void {
  const aside = join(dirname(path), `${NEEDLESS}${basename(path).replace(BROKEN, '')}`)
  // The same merge may have been broken by an earlier power cut; what is left of that was as needless.
  rmSync(aside, { recursive: true, force: true })
  renameSync(path, aside)
}
