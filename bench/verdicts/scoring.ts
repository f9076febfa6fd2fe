/** How often something was said, with intervals, as tables. */
import type { Case } from './public-worlds.ts'

interface Score {
  truth: Case['truth']
  worse: number
  of: number
}

const NONE = { worse: 0, of: 0 }

/** By world. */
export type Scores = Record<string, Score>

export function addScore(scores: Scores, { world, truth }: Pick<Case, 'world' | 'truth'>, isWorse: boolean): void {
  const { worse, of } = scores[world] ?? NONE
  scores[world] = { truth, worse: worse + Number(isWorse), of: of + 1 }
}

export function percent(count: number, of: number): number {
  return of === 0 ? 0 : (100 * count) / of
}

/** Wilson's interval of 95 %. */
export function intervalOf(count: number, of: number): string {
  const z = 1.96 ** 2
  const middle = (count + z / 2) / (of + z)
  const reach = Math.sqrt((count * (of - count) * z) / of + z ** 2 / 4) / (of + z)
  return `${percent(Math.max(0, middle - reach), 1).toFixed(1)} to ${percent(middle + reach, 1).toFixed(1)}`
}

/** @returns a table of `worse` in per cent: a row each world, first those where nothing changed, and a column each judge */
export function tableOf(judges: Readonly<Record<string, Scores>>): string {
  const all = Object.values(judges)
  const rowsOf = (truth: Case['truth']) => {
    const worlds = Object.entries(all[0] ?? {}).filter(([, score]) => score.truth === truth)
    const sum = (scores: Scores) =>
      worlds.reduce((total, [world]) => {
        const { worse, of } = scores[world] ?? NONE
        return { worse: total.worse + worse, of: total.of + of }
      }, NONE)
    const cell = ({ worse, of }: Omit<Score, 'truth'>) => `${percent(worse, of).toFixed(1)} (${intervalOf(worse, of)})`
    const rows = worlds.map(([world]) => [world, ...all.map((scores) => cell(scores[world] ?? NONE))])
    const name = truth === 'same' ? 'all false alarms' : 'all found'
    return rows.length === 0 ? [] : [...rows, [name, ...all.map((scores) => cell(sum(scores)))]]
  }
  const head = ['called worse, % (interval)', ...Object.keys(judges)]
  const rows = [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rowsOf('same'), ...rowsOf('worse')]
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
