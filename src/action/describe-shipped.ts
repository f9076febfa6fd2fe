/**
 * What a deployment ships: the commits since the one that the last annotation of the same type says was deployed, in a few lines for the
 * description. Pure; deliberately not here: who asks for the commits (shipped.ts).
 */

import { toLine } from '@deployment-annotations/client/line'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { readKeyedText } from '@deployment-annotations/contract/key-line'
import { readResult } from '@deployment-annotations/contract/release'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import { COMMIT_SHOWN, readVersion } from '@deployment-annotations/inputs/source'

/** The difference between two commits, as the repository reports it. */
export interface Comparison {
  /** How many commits the second one has that the first one lacks, and the reverse, as after a rollback. */
  aheadBy: number
  behindBy: number
  /** Commits, the earliest first; there may be more. `time` is RFC 3339, or empty if it is not known. */
  commits: readonly { message: string; author: string; time: string }[]
}

/** A line with a list below it. The list is cut to the space that is left. */
interface Shipped {
  head: string
  changes: readonly string[]
  /** The time of the first commit, from which the service measures the lead time of the change. */
  committed?: string
  /** Whether there are more changes than these. */
  isCut: boolean
}

interface Deployed {
  /** The repository's page, such as `https://github.com/acme/shop`. */
  repositoryUrl: string
  /** The whole id of the commit. */
  commit: string
  type: string
}

/** Characters that the lines of jobs and a key need below the changes. */
const ROOM_BELOW = 112
/** Digits of a commit in a link: enough for the largest repositories. */
const COMMIT_LINKED = 12
const AUTHORS_MAX = 4
const SUBJECT_POINTS_MAX = 72

/**
 * @param marks annotations in any order
 * @returns the commit or tag of the latest deployment of this type. Failed and canceled jobs do not count, nor does a deployment of the
 *   same commit, which is an earlier attempt of this one
 */
export function findDeployed(marks: readonly Annotation[], { repositoryUrl, commit, type }: Deployed): string | undefined {
  return marks
    .filter((mark) => mark.type === type && !hasFailed(mark))
    .sort((a, b) => Date.parse(b.time) - Date.parse(a.time))
    .map((mark) => readDeployed(mark, repositoryUrl))
    .find((version) => version !== undefined && !commit.startsWith(version))
}

function hasFailed({ description }: Annotation): boolean {
  const { lines, attempt } = readKeyedText(description)
  const result = readResult({ description: lines.join('\n') })
  return attempt?.failed === true || result === 'failed' || result === 'canceled'
}

/** Reads the version from a link to this repository (see below), or otherwise from a title that `describeSource` wrote. */
function readDeployed({ description = '', title = '' }: Annotation, repositoryUrl: string): string | undefined {
  for (const link of description.split(`(${repositoryUrl}/`).slice(1)) {
    const [, linked] = /^(?:compare\/\S+?\.\.\.|commit\/)([0-9a-f]{7,64})\)/.exec(link) ?? []
    if (linked !== undefined) return linked
  }
  return readVersion(title, repositoryUrl.split('/').at(-1) ?? '')
}

/** @returns the text without an earlier annotation. The next deployment reads the commit from it. */
export function describeCommit({ repositoryUrl, commit }: Deployed): Shipped {
  const head = `Commit [${commit.slice(0, COMMIT_SHOWN)}](${repositoryUrl}/commit/${commit.slice(0, COMMIT_LINKED)})`
  return { head, changes: [], isCut: false }
}

/** @param base what was deployed before, a commit or a tag */
export function describeShipped(deployed: Deployed, base: string, comparison: Comparison): Shipped {
  const { repositoryUrl, commit } = deployed
  const link = `[${shorten(base)}](${repositoryUrl}/compare/${linkable(base)}...${commit.slice(0, COMMIT_LINKED)})`
  const { aheadBy, behindBy, commits } = comparison
  const takenBack = behindBy === 0 ? '' : `${countCommits(behindBy)} taken back since ${link}`
  if (aheadBy === 0) return { head: takenBack || `No commits since ${link}`, changes: [], isCut: false }
  const head = `${countCommits(aheadBy)} since ${link}${describeAuthors(comparison)}${behindBy === 0 ? '' : `, and ${countCommits(behindBy)} taken back`}`
  const [first] = commits
    .map(({ time }) => Date.parse(time))
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const committed = first === undefined ? {} : { committed: formatMillis(first) }
  return { head, changes: listChanges(commits), isCut: commits.length < aheadBy, ...committed }
}

/** @returns the description with the changes below it. If there is not enough space for both, the description stays whole */
export function addShipped(description: string | undefined, shipped: Shipped): string {
  const before = description === undefined ? '' : `${description}\n\n`
  const room = DESCRIPTION_POINTS_MAX - ROOM_BELOW - countPoints(before)
  return description !== undefined && countPoints(shipped.head) > room ? description : `${before}${fitList(shipped, room)}`
}

const countCommits = (count: number) => `${count} commit${count === 1 ? '' : 's'}`

const isCommit = (version: string) => /^[0-9a-f]{7,64}$/.test(version)
const shorten = (version: string) => (isCommit(version) ? version.slice(0, COMMIT_SHOWN) : version)
const linkable = (version: string) => (isCommit(version) ? version.slice(0, COMMIT_LINKED) : encodeURIComponent(version))

function describeAuthors({ aheadBy, commits }: Comparison): string {
  const authors = [...new Set(commits.map(({ author }) => escapeMarkdown(toLine(author, SUBJECT_POINTS_MAX))).filter(Boolean))]
  if (authors.length === 0) return ''
  const shown = authors.slice(0, AUTHORS_MAX)
  if (authors.length > shown.length) shown.push(commits.length < aheadBy ? 'others' : `${authors.length - shown.length} more`)
  return ` by ${shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`}`
}

/**
 * One line for each change: first pull requests by their titles, then other commits, the latest first. Merges of branches are left out.
 */
function listChanges(commits: Comparison['commits']): string[] {
  const subjects = commits
    .map(({ message }) => readSubject(message))
    .filter((subject) => !/^Merge (?:remote-tracking )?branch /.test(subject))
  const isRequest = (subject: string) => /\(#\d+\)$/.test(subject)
  const latestFirst = [...new Set(subjects.reverse())]
  return [...latestFirst.filter(isRequest), ...latestFirst.filter((subject) => !isRequest(subject))].map(
    (subject) => `- ${escapeMarkdown(cutText(subject, SUBJECT_POINTS_MAX))}`,
  )
}

/** The commit that merges a pull request has the title of the request in its first line after the subject. */
function readSubject(message: string): string {
  const [subject = '', ...rest] = message.split('\n')
  const [, number] = /^Merge pull request #(\d+) from /.exec(subject) ?? []
  const title = rest.find((line) => line.trim() !== '')
  return toLine(number !== undefined && title !== undefined ? `${title.trim()} (#${number})` : subject, 2_000)
}

/** Escapes a commit message, so that it makes no links and pictures. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, '\\$&')
}

/** @returns as many changes as fit, and the number of the others if it is known */
function fitList({ head, committed, changes, isCut }: Shipped, pointsMax: number): string {
  const line = committed === undefined ? [] : ['', `Committed: ${committed}`]
  const show = (count: number) => {
    const left = changes.length - count
    const rest = isCut ? ['- and more'] : left === 0 ? [] : [`- and ${left} more`]
    return [head, ...changes.slice(0, count), ...rest, ...line].join('\n')
  }
  let count = changes.length
  while (count > 0 && countPoints(show(count)) > pointsMax) count--
  return count > 0 ? show(count) : countPoints([head, ...line].join('\n')) > pointsMax ? head : [head, ...line].join('\n')
}
