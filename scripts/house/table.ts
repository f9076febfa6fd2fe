/**
 * `npm run house`: what it takes to find one's way through the source, as a table: the files and functions that one request runs
 * through, the size of the source and of its packages, and the words of the documentation. The test of the same figures is
 * `__tests__/tidy/house.test.ts`.
 */
import { globSync, readFileSync } from 'node:fs'
import { asksWhichStore, countTrips, nounsOfWaiting, sourceFiles, type TripName, WANTED, words } from './measure.ts'

const lines = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)

/** @returns the lines of each package; `src` is the action */
function packageLines(): [string, number][] {
  const roots = ['src', ...globSync('packages/*/src')]
  return roots.map((root) => [root, lines(sourceFiles().filter((file) => file.startsWith(`${root}/`)))])
}

const trips = countTrips()
const names = Object.keys(trips) as TripName[]
const [largest = ['', 0]] = packageLines().sort(([, a], [, b]) => b - a)
const rows: [string, string, string][] = [
  [
    `files of one ${names.join(' · ')}`,
    names.map((name) => trips[name].files.length).join(' · '),
    names.map((name) => `≤ ${WANTED[name].files}`).join(' · '),
  ],
  [
    'functions of the same',
    names.map((name) => trips[name].functions.length).join(' · '),
    names.map((name) => `≤ ${WANTED[name].functions}`).join(' · '),
  ],
  ['source lines (ts, tsx; without bench and scripts)', String(lines(sourceFiles())), `≤ ${WANTED.sourceLines}`],
  ['source files', String(sourceFiles().length), ''],
  [`largest package (${largest[0]})`, String(largest[1]), `≤ ${WANTED.packageLines}`],
  ['nouns for waiting', String(nounsOfWaiting().length), `≤ ${WANTED.nounsOfWaiting}`],
  ['places that ask which store this is', String(asksWhichStore().length), '0'],
  ['words of docs, README, CHANGELOG', String(words()), `≤ ${WANTED.words}`],
]
console.log('| | now | wanted |\n|---|--:|--:|')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
for (const place of asksWhichStore()) console.log(`asks which store this is: ${place}`)
