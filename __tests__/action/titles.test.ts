/** A title is cut by one rule, whether a step sent it or a deployment platform. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { buildAnnotation } from '../../packages/service/src/automations/deployments/annotation.ts'
import { deploymentFrom } from '../../packages/service/src/automations/deployments/deployment.ts'
import { INPUT_DEFAULTS, parseInputs } from '../../src/action/inputs.ts'

const titleOfStep = (title: string) =>
  parseInputs({ ...INPUT_DEFAULTS, token: 'xaat-1', datasets: 'web', type: 'deploy', title }).mark.title

function titleOfDeployment(title: string) {
  const deployment = deploymentFrom({ deployment: '1', state: 'started', atNs: 1n, facts: {}, environments: [] })
  const integration = {
    id: 'int_1',
    platform: 'github',
    name: 'shop',
    datasets: ['web'],
    type: 'deploy',
    environments: [],
    rules: [],
  } as const
  return buildAnnotation(deployment, { ...integration, datasets: ['web'], environments: [], rules: [], createdAt: '', title })
    .title
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
