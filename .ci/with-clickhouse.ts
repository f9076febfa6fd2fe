/** Starts the tests' ClickHouse server, prints its address (`none` where it cannot be started here), and ends it on SIGTERM. */
import { hasClickHouse, startClickHouse } from '../__tests__/support/clickhouse-server.ts'

if (hasClickHouse) {
  const server = await startClickHouse()
  process.once('SIGTERM', () => void server[Symbol.asyncDispose]())
  console.log(`${server.url}/default`)
} else {
  console.log('none')
}
