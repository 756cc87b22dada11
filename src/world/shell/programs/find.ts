import { otherVersion, outside } from "../known-program.ts"
import { judgeRemoval } from "../removal.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { type Program, placesOf, type Scene, touch } from "../scene.ts"
import type { State } from "../state.ts"

/** `find`: reads below its starting points, and does with what it finds what its actions say. */
export const find: Program = (scene, words, state) => {
  const { starts, rest, follows } = beginning(words)
  const expression = readExpression(rest)
  if (typeof expression === "string") return outside(scene, words, state, `find: ${expression}`)
  if (!scene.machine.has("find", "findutils 4.9")) otherVersion(scene, words, state)
  const below = starts.flatMap((start) => placesOf(scene, start, state).map(({ path }) => path))
  for (const path of below) scene.found.path("read", path, "below")
  // It follows links where it is told to, and a program always follows one that it is handed.
  const isFollowed =
    follows ||
    expression.some(({ name }) => name === "-follow") ||
    (expression.some(({ name }) => /^-(?:exec|ok)/.test(name)) &&
      !expression.some(({ name, words: [kind] }) => name === "-type" && kind?.value === "f"))
  if (isFollowed)
    for (const target of below.flatMap((place) => scene.paths.behindLinks(place)))
      scene.found.path("read", target, scene.paths.isFolder(target) ? "below" : "itself")
  for (const part of expression) act(scene, part, below, state)
  return undefined
}

/** Options and starting points, in front of the expression. */
function beginning(words: readonly Argument[]) {
  let index = 0
  let follows = false
  for (; /^-[HLP]$|^-D$|^-O[0-9]$/.test(words[index]?.value ?? ""); index++) {
    if (words[index]!.value === "-D") index++
    else follows = words[index]!.value === "-L"
  }
  if (words[index]?.value === "--") index++
  const starts: Argument[] = []
  for (; index < words.length; index++) {
    const text = words[index]!.value ?? words[index]!.pattern ?? ""
    if (/^-|^[(),!]/.test(text)) break
    starts.push(words[index]!)
  }
  return { starts: starts.length > 0 ? starts : [plainArgument(".")], rest: words.slice(index), follows }
}

interface Part {
  readonly name: string
  readonly words: readonly Argument[]
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

/** A text says what is not known of it. */
function readExpression(words: readonly Argument[]): readonly Part[] | string {
  const parts: Part[] = []
  for (let index = 0; index < words.length; index++) {
    const name = words[index]!.value
    if (name === undefined) return `what ${words[index]!.written} is shows only when it runs`
    if (plain.has(name)) parts.push({ name, words: [] })
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(name)) {
      let end = index + 1
      while (end < words.length && !endsCommand(words, end)) end++
      if (end === words.length) return `${name} has no end`
      parts.push({ name, words: words.slice(index + 1, end) })
      index = end
    } else {
      const count = withOne.has(name) || /^-newer[aBcm][aBcmt]$/.test(name) ? 1 : name === "-fprintf" ? 2 : 0
      if (count === 0) return `it does not have ${name}`
      parts.push({ name, words: words.slice(index + 1, index + 1 + count) })
      index += count
    }
  }
  return parts
}

const endsCommand = (words: readonly Argument[], place: number): boolean =>
  words[place]!.value === ";" || (words[place]!.value === "+" && words[place - 1]!.value === "{}")

function act(scene: Scene, { name, words }: Part, below: readonly string[], state: State): void {
  const [first] = words
  if (/^-(?:exec|execdir|ok|okdir)$/.test(name)) {
    if (first?.value?.includes("{}")) scene.found.unclear("what find runs is not plain")
    const inside = name.endsWith("dir") ? { ...state, folders: undefined } : state
    scene.run(
      words.map((word) => (word.value?.includes("{}") ? foundBy(word, below) : word)),
      inside,
    )
  } else if (name === "-delete")
    for (const path of below) {
      scene.found.path("write", path, "below")
      judgeRemoval(scene, path, "found")
    }
  else if (name === "-files0-from") {
    if (first) touch(scene, "read", first, state)
    scene.found.unclear("find takes its starting points from a file")
  } else if (/^-f(?:print0?|printf|ls)$/.test(name) && first)
    touch(scene, "write", first.value === "-" ? plainArgument("./-") : first, state)
  else if (/^-(?:[ac]?newer|samefile|newer[aBcm][aBcm])$/.test(name) && first)
    touch(scene, "read", first, state)
}

const foundBy = (word: Argument, below: readonly string[]): Argument => ({
  written: word.written === "'{}'" ? "{}" : word.written,
  value: undefined,
  below,
  reason: "",
})
