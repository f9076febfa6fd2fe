/** What our service says besides the annotation: where the page shows it, and which dataset is misspelled. */
import { beforeAll, expect, test } from '@jest/globals'
import { send } from '../support/fill.ts'
import { serviceForTests } from '../support/for-tests.ts'
import { runAction } from '../support/run-action.ts'
import { startScriptedService } from '../support/scripted-service.ts'

const service = serviceForTests()
beforeAll(async () => {
  await send(service, 'POST', '/v2/datasets', { name: 'web' })
})

const mark = (inputs: Record<string, string> = {}) =>
  runAction({ token: service.token, baseUrl: service.url, datasets: 'web', type: 'deploy', ...inputs })

test('log and summary link to the page that shows the annotation', async () => {
  const { log, summary, outputs, warnings } = await mark()
  const page = log.join('\n').match(/^On its charts: (http\S+)$/m)?.[1] ?? ''
  expect(page).toMatch(`${service.url}/?datasets=web&`)
  expect(new URL(page).searchParams.get('annotations')).toBe(outputs.id)
  expect(outputs.chart).toBe(page)
  expect(summary).toContain(`<a href="${page.replaceAll('&', '&#38;')}">On the charts</a>`)
  expect(warnings).toEqual([])
})

test('a misspelled dataset is a warning that names the nearest', async () => {
  const { exitCode, warnings } = await mark({ datasets: 'wbe' })
  expect([exitCode, warnings]).toEqual([0, ['The annotation is stored, but there is no dataset "wbe": did you mean "web"?']])
})

test('what a service claims cannot become a command, or a link that runs', async () => {
  await using hostile = await startScriptedService({
    POST: () => ({
      commit: true,
      status: 201,
      headers: {
        link: '<javascript:alert(1)>; rel="alternate"; type="text/html"',
        'annotation-warning': '##[error]x ::error::y <script>',
      },
      body: '{"id":"ann_1","datasets":["web"],"type":"deploy","time":"2026-01-01T00:00:00Z"}',
    }),
  })
  const { warnings, errors, summary, log } = await mark({ baseUrl: hostile.url })
  expect(warnings).toEqual(['The annotation is stored, but # #[error]x ::error::y <script>.'])
  expect([errors, summary.includes('javascript'), log.join().includes('charts')]).toEqual([[], false, false])
})
