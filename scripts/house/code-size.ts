/**
 * How much code each part of a checkout has. Code is what is left of a file without blank lines, comments and imports; what is generated
 * counts wherever it is committed, but for what a build makes (`dist`, `lib`, `public`) and expected results (`goldens`).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CodeSize {
  readonly code: number
  readonly commentWords: number
}

const IS_CODE = /\.(?:ts|tsx|mjs|js|cjs)$/
const IS_BUILT = /(?:^|\/)(?:dist|lib|public|goldens)\//
/** A comment that begins its line. What stands behind code on a line is no line of its own. */
const COMMENTS = [/^[ \t]*\/\*[\s\S]*?\*\//gm, /^[ \t]*\/\/.*$/gm]
const IMPORT = /^import\b[\s\S]*?(?:from\s+)?['"][^'"]+['"](?:\s+with\s+\{[^}]*\})?;?[ \t]*$/gm

/** @returns the part that a file belongs to, by its path from the top: a package, or the name of what is none */
function partOf(file: string): string | undefined {
  const [, action, packageName] = /^(?:(src)|packages\/([^/]+)\/src)\//.exec(file) ?? []
  if (action ?? packageName) return action ?? packageName
  if (/(?:^|\/)__tests__\//.test(file)) return 'tests'
  if (file.startsWith('bench/')) return 'bench'
  return /^(?:\.ci|scripts)\//.test(file) ? '.ci, scripts' : undefined
}

function sizeOf(text: string): CodeSize {
  let commentWords = 0
  let bare = text
  for (const comments of COMMENTS)
    bare = bare.replace(comments, (comment) => {
      commentWords += comment.split(/[\s/*]+/).filter((word) => /[A-Za-z]/.test(word)).length
      return ''
    })
  const lines = bare.replace(IMPORT, '').split('\n')
  return { code: lines.filter((line) => line.trim() !== '').length, commentWords }
}

/** @param root a checkout, of which the files that git tracks count @returns the size of each part that has any code */
export function codeSizes(root: string): Map<string, CodeSize> {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })
  const sizes = new Map<string, CodeSize>()
  for (const file of tracked.split('\0')) {
    const part = IS_CODE.test(file) && !IS_BUILT.test(file) ? partOf(file) : undefined
    if (part === undefined) continue
    const { code, commentWords } = sizeOf(readFileSync(join(root, file), 'utf8'))
    const sum = sizes.get(part)
    sizes.set(part, { code: code + (sum?.code ?? 0), commentWords: commentWords + (sum?.commentWords ?? 0) })
  }
  return sizes
}
