/**
 * Loaded into the service before it: appends to the file TURNS_FILE how many milliseconds of processor time a long turn of the main
 * thread took, and up to 5 ms of the turns before it. Other programs, and waiting, do not count, nor does by how much this machine is
 * slower than the one whose milliseconds are meant.
 */
'use strict'
const { appendFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const NOTED_MS_MIN = 30
/** What reading an object of 140,000 members takes where turns were first measured. */
const WORK_MS = 75
let before = process.threadCpuUsage()

/** @returns milliseconds since it was last called */
function passed() {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  return (user + system) / 1_000
}

if (isMainThread) {
  const work = JSON.stringify(Object.fromEntries(Array.from({ length: 140_000 }, (_, i) => [`f${i}`, i])))
  const slowness = Math.max(1, Math.min(...[1, 2, 3].map(() => JSON.parse(work) && passed())) / WORK_MS)
  const note = () => {
    const ms = Math.round(passed() / slowness)
    if (ms > NOTED_MS_MIN) appendFileSync(process.env.TURNS_FILE, `${ms}\n`)
  }
  setInterval(note, 5).unref()
}
