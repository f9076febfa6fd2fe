/**
 * Workflows of README.md and docs/ in repositories, events and outages as they are.
 */
import { readCases, testCases } from './cases.ts'
import { filesOf } from './recipes.ts'

/** A token that expired holds up nothing that is deployed after the step. */
const refused = readCases('recipes.yaml')
  .filter(({ page, workflow }) => /OWNER\/.*\.\/deploy/s.test(filesOf(page)[`.github/workflows/${workflow}.yml`] ?? ''))
  .map(({ runs = [{}], ...ordinary }) => {
    const run = { ...runs[0], log: '/::warning::.*answered 401/', secrets: { AXIOM_TOKEN: 'xaat-expired' } }
    return { ...ordinary, name: 'a token that expired', runs: [run], stored: [], annotations: [] }
  })

testCases([...readCases('worlds.yaml'), ...refused], { failing: [0.01, 0.1] })
