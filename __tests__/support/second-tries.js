/**
 * Counts the tests that failed once and passed when they were tried again (`TEST_RETRIES`), so that a test which fails every second time
 * is not green without a word: their names are printed, and appended to the file that `SECOND_TRIES` names. `.ci/run` is red above three.
 */
import { appendFileSync } from 'node:fs'

export default class SecondTries {
  #names = []

  onTestResult({ path }, { testResults }) {
    for (const { fullName, invocations = 1 } of testResults) if (invocations > 1) this.#names.push(`${path}: ${fullName}`)
  }

  onRunComplete() {
    if (this.#names.length === 0) return
    console.log(`${this.#names.length} tests needed a second try:\n${this.#names.map((name) => `  ${name}`).join('\n')}`)
    if (process.env.SECOND_TRIES) appendFileSync(process.env.SECOND_TRIES, this.#names.map((name) => `${name}\n`).join(''))
  }
}
