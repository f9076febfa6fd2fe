/**
 * Inputs are data: what other tools write is read exactly or refused, whatever it is. A case is a line of one of the files beside this
 * one: what is given, `→`, and what it is read as.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { correct } from '@deployment-annotations/inputs/corrections'
import { readForeignTime } from '@deployment-annotations/inputs/foreign-time'
import { InputError, NothingToDo } from '@deployment-annotations/inputs/input-error'
import { parseCorrected } from '@deployment-annotations/inputs/parse-corrected'
import { readResult } from '@deployment-annotations/inputs/results'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { INPUT_DEFAULTS, parseInputs, type RawInputs } from '../../src/action/inputs.ts'
import { readYaml } from '../support/read-yaml.ts'
import { runAction } from '../support/run-action.ts'

const readCases = (file: string) =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line.includes(' → '))
    .map((line) => line.split(' → '))

test.each(readCases('times.txt'))('the time %s is %s', (given = '', expected = '') => {
  const { time, isZoneless, reason } = readForeignTime(given)
  expect(time === undefined ? `refused: ${reason ?? ''}`.trim() : `${time}${isZoneless ? ' by assumption' : ''}`).toBe(expected)
})

test.each(readCases('results.txt'))('the result %s is %s', (given = '', expected = '') => {
  expect(readResult(given)).toBe(expected)
})

test.each(readCases('inputs.txt'))('the input %s is taken as %s', (given = '', expected = '') => {
  const [input = '', text = ''] = given.split(/ (.*)/)
  const { raw, warnings } = correct({ [input]: JSON.parse(text) })
  expect(`${JSON.stringify(raw[input])}${warnings.length === 0 ? '' : ' with a warning'}`).toBe(expected)
})

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The local time of an offset in each form, which tools of all kinds print. */
function print(ms: number, minutes: number): string[] {
  const local = new Date(ms + minutes * 60_000)
  const [date = '', clock = ''] = local.toISOString().slice(0, 19).split('T')
  const [year = '', , day = ''] = date.split('-')
  const [weekday = '', month = ''] = [DAYS[local.getUTCDay()], MONTHS[local.getUTCMonth()]]
  const two = (part: number) => String(part).padStart(2, '0')
  const size = Math.abs(minutes)
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`
  const [hour, half] = [local.getUTCHours(), local.getUTCHours() < 12 ? 'AM' : 'PM']
  const short = `${weekday.slice(0, 3)}, ${Number(day)} ${month}`
  return [
    `${date} ${clock} ${offset}`,
    `${date} ${clock}.000000000 ${offset} CET m=+0.1`,
    `${date}T${clock}${offset.replace(/(?=..$)/, ':')}[Europe/Paris]`,
    `${date.replaceAll('-', '/')} ${clock} UTC${offset}`,
    `${date.replaceAll('-', '')}${clock.replaceAll(':', '')}${offset}`,
    `${short} ${year} ${clock} ${offset}`,
    `${weekday}, ${day}-${month}-${year.slice(2)} ${clock} ${offset}`,
    `${day}/${month}/${year}:${clock} ${offset}`,
    `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${clock} ${year} ${offset}`,
    `${weekday.slice(0, 3)} ${month} ${day} ${clock} ${offset} ${year}`,
    `${weekday.slice(0, 3)} ${month} ${day} ${year} ${clock} GMT${offset} (Somewhere Standard Time)`,
    `${month} ${Number(day)}, ${year}, ${hour % 12 || 12}${clock.slice(2)}\u202f${half} GMT${offset}`,
    `${weekday.slice(0, 3)} ${day} ${month} ${year} ${two(hour % 12 || 12)}${clock.slice(2)} ${half} ${offset}`,
    ...[`${ms / 1_000} ${offset}`, `${ms}`, `${ms}000`, `${ms}000000`, `${ms / 1_000}.0`],
  ]
}

test('no form of a time is read as another instant', () => {
  const seconds = fc.integer({ min: Date.UTC(2002, 0) / 1_000, max: Date.UTC(2049, 0) / 1_000 })
  const case_ = fc.tuple(seconds, fc.integer({ min: -14 * 4, max: 14 * 4 }))
  fc.assert(
    fc.property(case_, ([second, quarters]) => {
      const expected = new Date(second * 1_000).toISOString().replace('.000', '')
      for (const text of print(second * 1_000, quarters * 15)) {
        expect([text, readForeignTime(text).time]).toEqual([text, expected])
        // What is cut short, as by a limit of a field, is refused or the same day at most.
        const cut = readForeignTime(text.slice(0, -1)).time
        if (cut !== undefined) expect(Number.isFinite(Date.parse(cut))).toBe(true)
      }
    }),
  )
})

const word = fc.constantFrom(...readYaml<string[]>(import.meta.url, 'words.yaml'))
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(word).map((words) => words.join('')),
  fc.json(),
  fc.constant(''),
)
const anyInputs = fc.record(Object.fromEntries(Object.keys(INPUT_DEFAULTS).map((name) => [name, text])))

test('whatever the inputs are, they are read, or refused by name', async () => {
  const load = async () => ({ correct })
  const read = (raw: RawInputs) => parseCorrected({ raw, defaults: INPUT_DEFAULTS, parse: parseInputs, load })
  const property = fc.asyncProperty(anyInputs, async (given) => {
    const error = await read(given as RawInputs).then(
      () => undefined,
      (refused: unknown) => refused,
    )
    expect(error === undefined || error instanceof InputError || error instanceof NothingToDo).toBe(true)
  })
  await fc.assert(property, { numRuns: 500 })
})

test('with onError: warn no input whatsoever stops a deployment', async () => {
  const inputs = { baseUrl: 'http://127.0.0.1:1', timeoutSeconds: '1', onOutage: 'warn', onError: 'warn' }
  for (const given of fc.sample(anyInputs, 6)) {
    const texts = Object.entries(given).map(([name, value]) => [name, value.replaceAll('\0', '')])
    const run = await runAction({ ...Object.fromEntries(texts), ...inputs })
    expect(run).toMatchObject({
      exitCode: 0,
      errors: [],
      outputs: { outcome: expect.stringMatching(/failed|skipped|unreachable|dry-run/) },
    })
  }
})
