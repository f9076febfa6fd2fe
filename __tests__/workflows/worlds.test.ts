/**
 * Workflows of README.md and docs/ in repositories, events and outages as they are.
 */
import { readCases, testCases } from './cases.ts'

testCases(readCases('worlds.yaml'), { failing: [0.01, 0.1] })
