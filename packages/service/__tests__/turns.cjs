/**
 * Loaded into the service before it: appends to the file TURNS_FILE how many milliseconds of processor time a long turn of the main
 * thread took, and up to 5 ms of the turns before it. Other programs, and waiting, do not count.
 */
'use strict'
const { appendFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const NOTED_MS_MIN = 30
let before = process.threadCpuUsage()

function note() {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  const ms = Math.round((user + system) / 1_000)
  if (ms > NOTED_MS_MIN) appendFileSync(process.env.TURNS_FILE, `${ms}\n`)
}

if (isMainThread) setInterval(note, 5).unref()
