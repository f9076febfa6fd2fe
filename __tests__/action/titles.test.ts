/** A title is cut by one rule, whether a step sent it or a deployment platform. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { knownFrom } from '../../packages/service/src/automations/deployments/known.ts'
import { buildMarker } from '../../packages/service/src/automations/deployments/marker.ts'
import { INPUT_DEFAULTS, parseInputs } from '../../src/action/inputs.ts'

const titleOfStep = (title: string) =>
  parseInputs({ ...INPUT_DEFAULTS, token: 'xaat-1', datasets: 'web', type: 'deploy', title }).mark.title

function titleOfDeployment(title: string) {
  const known = knownFrom({ deployment: '1', state: 'started', atNs: 1n, facts: {}, environments: [] })
  const integration = {
    id: 'int_1',
    platform: 'github',
    name: 'shop',
    datasets: ['web'],
    type: 'deploy',
    environments: [],
  } as const
  return buildMarker('ann_1', known, { ...integration, datasets: ['web'], environments: [], createdAt: '', title }).title
}

test('a title that is too long is cut at the same character', () => {
  const unit = fc.constantFrom('a', 'é', 'e\u0301', '👩‍💻', '🇨🇭', '한')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 100, maxLength: 300 }), (title) => {
      expect(titleOfDeployment(title)).toBe(titleOfStep(title))
    }),
  )
  expect(titleOfStep(`${'x'.repeat(254)}👩‍💻`)).toBe(`${'x'.repeat(254)}…`)
})
