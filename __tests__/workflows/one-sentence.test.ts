/**
 * One sentence about a release, wherever it is read: the service, both steps, the command, a notifier and the page, each as it ships.
 */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { withAllMembers } from '@deployment-annotations/contract/header'
import { expect } from '@jest/globals'
import { annotate as runCommand } from '../../packages/cli/__tests__/run-annotate.ts'
import { startReceiver } from '../../packages/service/__tests__/notifiers/receiver.ts'
import { openPage, testInBrowser } from '../support/browser.ts'
import { clientForTests } from '../support/client.ts'
import { annotate, send } from '../support/fill.ts'
import { serviceForTests } from '../support/for-tests.ts'
import { runAction, runCompare, runPost } from '../support/run-action.ts'
import { storeTraffic } from '../support/traffic.ts'
import { until } from '../support/until.ts'

const service = serviceForTests({ args: ['--allow-private-notifications'] })
const client = clientForTests(service)

testInBrowser(
  'the service, the steps, the command, a notifier and the page say the same of a release, and none asks anew',
  async () => {
    await using receiver = await startReceiver()
    const properties = { webhook: { url: receiver.url } }
    await send(service, 'POST', '/v2/notifiers', { name: 'team', properties, events: ['verdict'] })
    const atMs = Math.floor(Date.now() / 60_000) * 60_000 - 30 * 60_000
    const time = new Date(atMs).toISOString()
    await storeTraffic(client, { dataset: 'web', atMs, failing: [0.01, 0.03], slower: 1.02, minutes: [60, 20] })
    const { id } = await annotate(service, { datasets: ['web'], type: 'deploy', title: 'web 2.15.0', time })
    const read = () => send<Annotation>(service, 'GET', withAllMembers(`/v2/annotations/${id}`))
    await until('the verdict', async () => (await read()).verdict !== undefined)
    const { verdictDetails } = await read()
    const sentence = verdictDetails?.headline ?? ''
    expect(sentence).toMatch(/^Errors tripled: 1\.\d+ → 3\.\d+ %$/)
    const asked = () => service.requests.filter(({ path }) => path.includes('_apl')).length
    const before = asked()

    const connection = { token: service.token, baseUrl: service.url }
    const step = await runCompare({ ...connection, id })
    expect(step.warnings).toEqual([`web 2.15.0: ${sentence}`])
    expect(step.summary.split('\n')[0]).toBe(`### 🔴 web 2.15.0: ${sentence}`)
    expect(JSON.parse(step.outputs.comparison ?? '')).toMatchObject({ headline: sentence, series: verdictDetails?.series })

    const inputs = { ...connection, datasets: 'web', type: 'deploy', title: 'web 2.15.0', time, wait: '100s' }
    const post = await runPost(await runAction(inputs), inputs)
    expect(post.warnings).toEqual([`web 2.15.0: ${sentence}`])
    expect(post.summary).toContain(`### 🔴 web 2.15.0: ${sentence}\n`)

    const command = await runCommand(service.url, ['verdict', id], { env: { ANNOTATE_TOKEN: service.token } })
    expect(command.stdout.split('\n')[0]).toBe(`web 2.15.0: ${sentence}`)

    const [notice] = await receiver.wait(1)
    expect(JSON.parse(notice?.body ?? '').data.title).toBe(`web 2.15.0: ${sentence}`)

    await using page = await openPage(service, `/?datasets=web&annotations=${id}`)
    const panel = page.getByRole('complementary', { name: 'Selected annotations' })
    await panel.getByText(sentence).first().waitFor()
    const errors = verdictDetails?.series.find(({ name }) => name === 'web errors')
    const percent = (value = 0) => Number((value * 100).toPrecision(3))
    const row = `Errors${percent(errors?.before ?? 0)}${percent(errors?.after ?? 0)} %`
    expect(await panel.getByRole('row', { name: /^Errors/ }).textContent()).toContain(row)
    await page.getByRole('region', { name: 'Hurts now: web 2.15.0' }).getByText(sentence).waitFor()
    await page.goto(`${service.url}/releases`)
    await page.getByRole('row', { name: 'web 2.15.0' }).getByText(sentence).first().waitFor()
    // The charts of the page ask for what they draw, and nothing asks for the time before the release again.
    expect(asked() - before).toBeLessThanOrEqual(3)
  },
)
