import path from "node:path"

/** The actions of a command, as the kernel saw them. */
export type Deed =
  /** `how`: the call with its flags. A call that failed counts as well: with other files it would not have. */
  | {
      readonly type: "read" | "list" | "write"
      readonly path: string
      readonly how: string
      readonly failed?: true
    }
  /** A new file, made so that it cannot have been there; `gone`: its name was gone at the end. */
  | { readonly type: "make"; readonly path: string; readonly how: string; readonly failed?: true }
  | { readonly type: "remove"; readonly path: string; readonly how: string; readonly failed?: true }
  | { readonly type: "run"; readonly program: string; readonly words: readonly string[] }
  | { readonly type: "connect"; readonly address: string }

/** The deeds of each command, by the folder in which it was started. */
export function readTrace(trace: string, folders: ReadonlySet<string>): ReadonlyMap<string, readonly Deed[]> {
  const calls = joined(trace)
  const parents = new Map<string, string>()
  for (const { pid, name, result } of calls)
    if (/^(?:clone3?|v?fork)$/.test(name) && /^\d+/.test(result)) parents.set(/^\d+/.exec(result)![0], pid)
  const homes = new Map<string, string>()
  const places = new Map<string, string>()
  const homeOf = (pid: string): string | undefined => {
    const known = homes.get(pid)
    if (known !== undefined) return known
    const parent = parents.get(pid)
    const home = parent === undefined ? undefined : homeOf(parent)
    if (home !== undefined) homes.set(pid, home)
    return home
  }
  const placeOf = (pid: string): string | undefined => {
    const known = places.get(pid)
    if (known !== undefined) return known
    const parent = parents.get(pid)
    const place = parent === undefined ? undefined : placeOf(parent)
    if (place !== undefined) places.set(pid, place)
    return place
  }
  const found = new Map<string, Deed[]>([...folders].map((folder) => [folder, []]))
  for (const call of calls) {
    if (call.name === "chdir" && call.result === "0") {
      const target = path.resolve(placeOf(call.pid) ?? "/", stringsIn(call.words)[0] ?? "")
      places.set(call.pid, target)
      if (homeOf(call.pid) === undefined && folders.has(target)) homes.set(call.pid, target)
      continue
    }
    if (call.name === "fchdir" && call.result === "0") {
      places.set(call.pid, unescaped(/<(.*)>/.exec(call.words)?.[1] ?? "/"))
      continue
    }
    const home = homeOf(call.pid)
    if (home !== undefined) found.get(home)!.push(...deedsOf(call, placeOf(call.pid) ?? home))
  }
  return found
}

interface Call {
  readonly pid: string
  readonly name: string
  readonly words: string
  readonly result: string
}

/** The calls of a trace; those that others interrupted are put together again. */
function joined(trace: string): readonly Call[] {
  const calls: Call[] = []
  const begun = new Map<string, string>()
  for (const line of trace.split("\n")) {
    const [, pid, rest] = /^(\d+) +(.*)$/s.exec(line) ?? []
    if (pid === undefined || rest === undefined) continue
    if (rest.endsWith(" <unfinished ...>")) {
      begun.set(pid, rest.slice(0, -" <unfinished ...>".length))
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest)?.[1]
    const whole = resumed === undefined ? rest : (begun.get(pid) ?? "") + resumed
    const [, name, words, result] = /^(\w+)\((.*)\) += (.*)$/s.exec(whole) ?? []
    if (name !== undefined) calls.push({ pid, name, words: words!, result: result! })
  }
  return calls
}

function deedsOf({ name, words, result }: Call, place: string): readonly Deed[] {
  const failed = result.startsWith("-1") && { failed: true as const }
  const how = `${name}(${words}) = ${result}`
  const names = stringsIn(words)
  // The folder of a call such as openat stands before each of its names.
  const folders = [...words.matchAll(/(?:AT_FDCWD|\d+)<([^>]*)>/g)].map(([, folder]) => unescaped(folder!))
  const at = (index: number): string =>
    path.resolve(folders[index] ?? folders.at(-1) ?? place, names[index] ?? "")
  // No file has an empty name.
  if (names[0] === "" && failed) return []
  if (/^exec/.test(name)) {
    if (failed) return []
    return [{ type: "run", program: at(0), words: names.slice(1) }]
  }
  if (/^(?:open|openat|openat2|creat)$/.test(name)) return [opened(name, words, result, at(0), how)]
  if (/^(?:connect|bind|send)/.test(name)) {
    const address = /\{sa_family=(?:AF_INET6?|AF_UNIX)[^}]*\}/.exec(words)?.[0]
    return address === undefined ? [] : [{ type: "connect", address }]
  }
  // A name that is there already is not made.
  if (/^mkdir/.test(name) && /EEXIST/.test(result)) return []
  if (/^(?:mkdir|mknod|symlink)/.test(name))
    return [{ type: "make", path: at(/^symlink/.test(name) ? names.length - 1 : 0), how, ...failed }]
  if (/^(?:unlink|rmdir)/.test(name)) return [{ type: "remove", path: at(0), how, ...failed }]
  if (/^rename/.test(name))
    return [
      { type: "remove", path: at(0), how, ...failed },
      { type: "write", path: at(1), how, ...failed },
    ]
  if (/^link/.test(name))
    return [
      { type: "read", path: at(0), how, ...failed },
      { type: "write", path: at(1), how, ...failed },
    ]
  if (/^(?:fch|fset|utimensat)/.test(name) && (names.length === 0 || /^\d+</.test(words))) {
    const target = unescaped(/^\d+<([^>]*)>/.exec(words)?.[1] ?? "")
    if (names.length === 0 || !/at$/.test(name))
      return target.startsWith("/") ? [{ type: "write", path: target, how, ...failed }] : []
  }
  if (
    /^(?:truncate|chmod|fchmodat|chown|lchown|fchownat|utime|futimesat|l?setxattr|l?removexattr)/.test(name)
  )
    return names.length === 0 ? [] : [{ type: "write", path: at(0), how, ...failed }]
  return []
}

function opened(name: string, words: string, result: string, named: string, how: string): Deed {
  const real = unescaped(/^\d+<(\/[^>]*?)(?: \(deleted\))?>/.exec(result)?.[1] ?? "") || named
  const failed = result.startsWith("-1") && { failed: true as const }
  const flags = name === "creat" ? "O_WRONLY|O_CREAT" : words.slice(words.lastIndexOf('"'))
  // Where nothing is there and nothing would be made, it is only looked for.
  const isSought = /ENOENT/.test(result) && !/O_(?:CREAT|DIRECTORY)/.test(flags)
  if (isSought) return { type: "read", path: real, how, ...failed }
  if (/O_EXCL/.test(flags)) return { type: "make", path: real, how, ...failed }
  if (/O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)/.test(flags))
    return { type: "write", path: real, how, ...failed }
  const isFolder = /O_(?:DIRECTORY|PATH)/.test(flags)
  return { type: isFolder ? "list" : "read", path: real, how, ...failed }
}

/** The quoted strings of a call, without what strace escaped. */
const stringsIn = (words: string): readonly string[] =>
  [...words.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => unescaped(text!))

const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-7]{1,3})|(.))/g, (_, octal: string | undefined, letter: string) =>
    octal === undefined
      ? ({ n: "\n", t: "\t", r: "\r" }[letter] ?? letter)
      : String.fromCharCode(Number.parseInt(octal, 8)),
  )
