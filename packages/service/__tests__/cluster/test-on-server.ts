/**
 * A test that needs the ClickHouse server of `__tests__/support/clickhouse-server.ts`. It is skipped where there is none, and that is said.
 */
import { test } from '@jest/globals'
import { hasClickHouse } from '../../../../__tests__/support/clickhouse-server.ts'

export const testOnServer = hasClickHouse ? test : test.skip
if (!hasClickHouse) console.warn('skipped: this machine has no ClickHouse server to start')
