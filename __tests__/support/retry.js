/**
 * Where other work takes the processors from under real servers and browsers, `TEST_RETRIES=1` tries a test that failed once
 * more, and prints what failed the first time. On one's own machine a test that fails has failed.
 */
import { jest } from '@jest/globals'

const { TEST_RETRIES: retries } = process.env
if (retries) jest.retryTimes(Number(retries), { logErrorsBeforeRetry: true })
