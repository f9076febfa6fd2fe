/**
 * Checks the file of the records by itself, also one that cannot be opened.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isWalDamaged } from './sqlite-wal.ts'

interface FileFinding {
  what: string
  problem: string
  remedy: string
  /** Whether the records cannot be used. */
  isFatal?: boolean
}

const RESTORE = 'restore it from a backup, or move it away and run annotation-service fsck --rebuild-catalogue'

export function checkSqliteFile(file: string): FileFinding[] {
  if (!existsSync(file)) return [{ what: file, problem: 'the file is missing', remedy: RESTORE }]
  const findings: FileFinding[] = []
  if (isWalDamaged(file))
    findings.push({ what: `${file}-wal`, problem: 'committed changes are missing in it', remedy: 'restore it from a backup' })
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    const problems = [
      ...database
        .prepare('PRAGMA integrity_check')
        .all()
        .map(({ integrity_check: text }) => String(text)),
      ...database
        .prepare('PRAGMA foreign_key_check')
        .all()
        .map((row) => `a row of ${String(row.table)} refers to nothing`),
    ]
    for (const problem of problems) if (problem !== 'ok') findings.push({ what: file, problem, remedy: RESTORE })
  } catch (error) {
    findings.push({ what: file, problem: (error as Error).message, remedy: RESTORE, isFatal: true })
  }
  return findings
}
