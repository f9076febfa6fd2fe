/**
 * Runs the Dockerfile without a container engine: its own COPY and RUN instructions, each stage in an empty folder, with this
 * machine's Node in the place of the base image's; then its ENTRYPOINT and CMD as its USER, its HEALTHCHECK, and its STOPSIGNAL.
 * Deliberately not here: the base image, isolation, layers. An instruction that it does not know is an error.
 *
 *   node .ci/dockerfile.js FOLDER      leaves what the stages made in FOLDER/<stage>
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, resolve } from 'node:path'
import { freePort } from '../__tests__/support/free-port.ts'
import { until } from '../__tests__/support/until.ts'

const target = resolve(process.argv[2] ?? '')
const isRoot = process.getuid() === 0

/** One stage of the build: a folder that stands for `/`, and what its instructions have set. */
class Stage {
  env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  args = {}
  workdir = '/'
  places = new Set()
  image = {}

  constructor(name) {
    this.root = join(target, name)
    mkdirSync(this.root, { recursive: true })
  }

  /** @returns a place of the image as a folder here */
  at(path) {
    return join(this.root, path.startsWith('/') ? path : join(this.workdir, path))
  }

  /** Every place of the image that a text names, as a folder here. */
  here(text) {
    const places = [...this.places].sort((a, b) => b.length - a.length)
    return places.reduce(
      (done, place) => done.replaceAll(new RegExp(`(?<![\\w./-])${place}(?![\\w-])`, 'g'), this.at(place)),
      text,
    )
  }

  run(command) {
    // Only root can give a folder to somebody.
    const owned = isRoot ? command : command.replace(/ -o \S+ -g \S+/, '')
    const place = this.at(this.workdir)
    mkdirSync(place, { recursive: true })
    const env = { ...this.env, ...this.args }
    const { status } = spawnSync('sh', ['-c', this.here(owned)], { cwd: place, env, stdio: 'inherit' })
    if (status !== 0) throw new Error(`RUN ${command} ended with ${status}`)
  }
}

const stages = new Map()
let stage

const assign = (text, given = {}) =>
  Object.fromEntries(
    text.split(' ').map((pair) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(pair) ?? fail(`not NAME=value: ${pair}`)
      return [name, value.replace(/\$(\w+)/g, (_, variable) => given[variable] ?? '')]
    }),
  )

const INSTRUCTIONS = {
  FROM(text) {
    const name = / AS (\w+)$/.exec(text)?.[1] ?? 'final'
    stage = new Stage(name)
    stages.set(name, stage)
  },
  WORKDIR(text) {
    stage.workdir = text
    stage.places.add(text)
  },
  COPY(text) {
    const [, from, source, to] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text) ?? fail(`COPY ${text}`)
    stage.places.add(from ? to : stage.workdir)
    if (from) return cpSync(stages.get(from).at(source), stage.at(to), { recursive: true, verbatimSymlinks: true })
    for (const file of readContext()) cpSync(file, join(stage.at(to), file))
  },
  RUN(text) {
    for (const [path] of text.matchAll(/(?<= )\/[\w/-]+/g)) stage.places.add(path)
    stage.run(text)
  },
  ARG: (text) => Object.assign(stage.args, assign(text)),
  ENV: (text) => Object.assign(stage.env, assign(stage.here(text), stage.env)),
  USER: (text) => Object.assign(stage.image, { user: text }),
  VOLUME: (text) => stage.places.add(text),
  EXPOSE: (text) => Object.assign(stage.image, { port: text }),
  STOPSIGNAL: (text) => Object.assign(stage.image, { stopSignal: text }),
  HEALTHCHECK: (text) => Object.assign(stage.image, { health: JSON.parse(text.slice(text.indexOf('['))) }),
  ENTRYPOINT: (text) => Object.assign(stage.image, { entrypoint: JSON.parse(text) }),
  CMD: (text) => Object.assign(stage.image, { cmd: JSON.parse(text) }),
}

for (const line of readLines('Dockerfile')) {
  const [, name, text] = /^(\w+) (.*)$/.exec(line) ?? fail(line)
  console.log(`-- ${name} ${text}`)
  const instruction = INSTRUCTIONS[name] ?? fail(`unknown instruction ${name}`)
  instruction(text)
}
await tryImage(stage)

/** The lines of a file that are no comments. */
function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
}

/** The tracked files that .dockerignore leaves in; of its lines the last that matches a file, or a folder it is in, decides. */
function readContext() {
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  const rules = readLines('.dockerignore')
  const isIn = (file) => {
    const parents = file.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))
    const last = rules.findLast((rule) => parents.some((path) => matchesGlob(path, rule.replace('!', ''))))
    return last?.startsWith('!') ?? true
  }
  return stdout.split('\0').filter((file) => file && isIn(file))
}

async function tryImage({ image, env, root }) {
  const port = await freePort()
  const [uid, gid] = image.user.split(':').map(Number)
  const user = isRoot ? { uid, gid } : {}
  const [command, ...args] = [...image.entrypoint, ...image.cmd, '--port', String(port)]
  const child = spawn(command, args, { cwd: root, env: { ...env, ANNOTATION_SERVICE_TOKEN: 'a-token-of-this-run' }, ...user })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  await until('the start of the service', () => output.includes('ready at') || child.exitCode !== null)
  if (child.exitCode !== null) fail(`the command did not start the service:\n${output}`)
  const health = image.health.map((text) => text.replace(`:${image.port}/`, `:${port}/`))
  const { status } = spawnSync(health[0], health.slice(1), { env, ...user, stdio: 'inherit' })
  if (status !== 0) fail(`HEALTHCHECK ended with ${status}`)
  child.kill(image.stopSignal)
  const [exitCode] = await ended
  if (exitCode !== 0) fail(`after ${image.stopSignal} the command ended with ${exitCode}:\n${output}`)
  console.log(
    `the image's command started as ${isRoot ? image.user : 'this user'}, was healthy, and ended with 0 on ${image.stopSignal}`,
  )
}

function fail(message) {
  throw new Error(message)
}
