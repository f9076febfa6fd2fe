/**
 * A program of a user of the client's package: compiled against its types in an empty folder, and run there on every Node that
 * the package supports, against a running service. `.ci/packages` does both.
 */
import assert from 'node:assert/strict'
import { type Annotation, createClient, type NewAnnotation, NotFoundError } from '@deployment-annotations/client'

const client = createClient({ token: process.env.TOKEN ?? '', baseUrl: process.env.URL ?? '' })
const dataset = `web-${process.versions.node.replaceAll('.', '-')}`

const release: NewAnnotation = { datasets: [dataset], type: 'deploy', title: 'v1' }
// @ts-expect-error an annotation has a type
const incomplete: NewAnnotation = { datasets: [dataset] }
assert.equal(incomplete.type, undefined)

const made: Annotation = await client.annotations.create(release)
assert.equal((await client.annotations.get(made.id)).title, 'v1')
await assert.rejects(client.annotations.get('ann_00000000000000000000000000'), NotFoundError)

const { ingested } = await client.ingest(dataset, [{ status: 200, big: 9_007_199_254_740_993n }, { status: 503 }])
assert.equal(ingested, 2)
const interval = { startTime: 'now-1h', endTime: 'now' }
const rows = client.rows(`['${dataset}'] | where status == 200 | project big`, interval)
const bigs: unknown[] = []
for await (const row of rows) bigs.push(row.big)
assert.deepEqual(bigs, [9_007_199_254_740_993n])

await client.close()
console.log(`the client works on Node ${process.versions.node}`)
