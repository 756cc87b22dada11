import { reportOtherVersion, reportOutsideTable } from "../known-program.ts"
import { judgeRemoval } from "../removal.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { type ProgramJudge, reportAccess, resolvePaths, type Scene } from "../scene.ts"
import type { ShellState } from "../state.ts"

/** `find`: reads below its starting points, and does what its actions say with the files that it finds. */
export const find: ProgramJudge = (scene, words, state) => {
  const { starts, rest, follows } = readBeginning(words)
  const expression = readExpression(rest)
  if (typeof expression === "string") return reportOutsideTable(scene, words, state, `find: ${expression}`)
  if (!scene.machine.has("find", "findutils 4.9")) reportOtherVersion(scene, words, state)
  const below = starts.flatMap((start) => resolvePaths(scene, start, state).map(({ path }) => path))
  for (const path of below) scene.findings.addPath("read", path, "below")
  // `find` follows links only where an option says so, but a program that it runs follows a link among its
  // arguments.
  const isFollowed =
    follows ||
    expression.some(({ name }) => name === "-follow") ||
    (expression.some(({ name }) => /^-(?:exec|ok)/.test(name)) &&
      !expression.some(({ name, words: [kind] }) => name === "-type" && kind?.value === "f"))
  if (isFollowed)
    for (const target of below.flatMap((place) => scene.paths.targetsBehindLinks(place)))
      scene.findings.addPath("read", target, scene.paths.isFolder(target) ? "below" : "itself")
  for (const part of expression) act(scene, part, below, state)
  return undefined
}

/** Reads the options and starting points in front of the expression. */
function readBeginning(words: readonly ShellArgument[]) {
  let index = 0
  let follows = false
  for (; /^-[HLP]$|^-D$|^-O[0-9]$/.test(words[index]?.value ?? ""); index++) {
    if (words[index]!.value === "-D") index++
    else follows = words[index]!.value === "-L"
  }
  if (words[index]?.value === "--") index++
  const starts: ShellArgument[] = []
  for (; index < words.length; index++) {
    const text = words[index]!.value ?? words[index]!.pattern ?? ""
    if (/^-|^[(),!]/.test(text)) break
    starts.push(words[index]!)
  }
  return { starts: starts.length > 0 ? starts : [makePlainArgument(".")], rest: words.slice(index), follows }
}

interface Part {
  readonly name: string
  readonly words: readonly ShellArgument[]
}

const plain: ReadonlySet<string> = new Set(
  `-daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -noleaf -nowarn -warn -empty
  -executable -readable -writable -false -true -nogroup -nouser -delete -ls -print -print0 -prune -quit -help --help
  -version --version -not ! -a -and -o -or , ( )`.split(/\s+/),
)

const withOne: ReadonlySet<string> = new Set(
  `-maxdepth -mindepth -regextype -amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex
  -iwholename -links -lname -mmin -mtime -name -path -perm -regex -size -type -uid -used -user -wholename -xtype -context
  -printf -anewer -cnewer -newer -samefile -fprint -fprint0 -fls -files0-from`.split(/\s+/),
)

/** Returns a string with the reason where the expression is not understood. */
function readExpression(words: readonly ShellArgument[]): readonly Part[] | string {
  const parts: Part[] = []
  for (let index = 0; index < words.length; index++) {
    const name = words[index]!.value
    if (name === undefined) return `the word ${words[index]!.written} is only known when the command runs`
    if (plain.has(name)) parts.push({ name, words: [] })
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(name)) {
      let end = index + 1
      while (end < words.length && !endsCommand(words, end)) end++
      if (end === words.length) return `${name} has no end`
      parts.push({ name, words: words.slice(index + 1, end) })
      index = end
    } else {
      const count = withOne.has(name) || /^-newer[aBcm][aBcmt]$/.test(name) ? 1 : name === "-fprintf" ? 2 : 0
      if (count === 0) return `unknown word ${name}`
      parts.push({ name, words: words.slice(index + 1, index + 1 + count) })
      index += count
    }
  }
  return parts
}

const endsCommand = (words: readonly ShellArgument[], place: number): boolean =>
  words[place]!.value === ";" || (words[place]!.value === "+" && words[place - 1]!.value === "{}")

function act(scene: Scene, { name, words }: Part, below: readonly string[], state: ShellState): void {
  const [first] = words
  if (/^-(?:exec|execdir|ok|okdir)$/.test(name)) {
    if (first?.value?.includes("{}"))
      scene.findings.addUnclear("the program that find runs is only known when the command runs")
    const inside = name.endsWith("dir") ? { ...state, folders: undefined } : state
    scene.run(
      words.map((word) => (word.value?.includes("{}") ? matchesOf(word, below) : word)),
      inside,
    )
  } else if (name === "-delete")
    for (const path of below) {
      scene.findings.addPath("write", path, "below")
      judgeRemoval(scene, path, "found")
    }
  else if (name === "-files0-from") {
    if (first) reportAccess(scene, "read", first, state)
    scene.findings.addUnclear("find reads its starting points from a file")
  } else if (/^-f(?:print0?|printf|ls)$/.test(name) && first)
    reportAccess(scene, "write", first.value === "-" ? makePlainArgument("./-") : first, state)
  else if (/^-(?:[ac]?newer|samefile|newer[aBcm][aBcm])$/.test(name) && first)
    reportAccess(scene, "read", first, state)
}

const matchesOf = (word: ShellArgument, below: readonly string[]): ShellArgument => ({
  written: word.written === "'{}'" ? "{}" : word.written,
  value: undefined,
  below,
  reason: "",
})
