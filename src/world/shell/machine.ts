import fs from "node:fs"
import path from "node:path"

/** Which programs there are, and of which version. */
export interface Machine {
  /** Whether a program is the one that a table is about: of that package, with the same major version. */
  has(program: string, version: string): boolean
}

/** As if every program were the one that its table is about. */
export const asInTables: Machine = { has: () => true }

const machines = new Map<string, Machine>()

/** The machine that this process runs on, looked at once for each search path. Nothing is run to find out. */
export function thisMachine(searchPath: string = process.env.PATH ?? ""): Machine {
  const known = machines.get(searchPath)
  if (known) return known
  const answers = new Map<string, boolean>()
  const machine: Machine = {
    has(program, version) {
      const key = `${program} ${version}`
      const answer = answers.get(key) ?? isThere(program, version, searchPath)
      answers.set(key, answer)
      return answer
    },
  }
  machines.set(searchPath, machine)
  return machine
}

const systemFolders: ReadonlySet<string> = new Set(["/bin", "/sbin", "/usr/bin", "/usr/sbin"])

function isThere(program: string, version: string, searchPath: string): boolean {
  const file = fileOf(program, searchPath)
  return version.split("|").some((one, _, several) => {
    const [name = "", wanted = ""] = one.split(" ")
    if (name === "npm") return majorOf(npmVersion(searchPath) ?? "none") === wanted
    const installed = packages().get(name)
    // One of several is the one that the name leads to.
    const isMeant = several.length === 1 || path.basename(file ?? "") === name
    return file !== undefined && isMeant && installed !== undefined && majorOf(installed) === majorOf(wanted)
  })
}

const majorOf = (version: string): string => /^[0-9]*/.exec(version)![0]

/** The first of that name on the search path, if it is in a folder of the system, and no link that leads elsewhere. */
function fileOf(program: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(":")) {
    const file = path.join(folder || ".", program)
    if (!fs.existsSync(file)) continue
    const real = fs.realpathSync(file)
    return systemFolders.has(folder) && systemFolders.has(path.dirname(real)) ? real : undefined
  }
  return undefined
}

/** Npm brings itself up to date, past the packages of the system. */
function npmVersion(searchPath: string): string | undefined {
  for (const folder of searchPath.split(":")) {
    const file = path.join(folder || ".", "npm")
    if (!fs.existsSync(file)) continue
    const [, place] =
      /^(\/usr\/(?:lib|local\/lib|share\/node(?:js)?)\/(?:node_modules\/)?npm)\/bin\/npm-cli\.js$/.exec(
        fs.realpathSync(file),
      ) ?? []
    if (!systemFolders.has(folder) || place === undefined) return undefined
    const { version } = JSON.parse(fs.readFileSync(path.join(place, "package.json"), "utf8")) as {
      version?: string
    }
    return version
  }
  return undefined
}

let installed: ReadonlyMap<string, string> | undefined

/** What Debian's packages, and those of its kin, are installed. Elsewhere no program is the one of a table. */
function packages(): ReadonlyMap<string, string> {
  installed ??= readPackages("/var/lib/dpkg/status")
  return installed
}

function readPackages(file: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  try {
    for (const entry of fs.readFileSync(file, "utf8").split("\n\n")) {
      const name = /^Package: (.*)$/m.exec(entry)?.[1]
      const version = /^Version: (?:[0-9]+:)?(.*)$/m.exec(entry)?.[1]
      if (name && version && /^Status: .* installed$/m.test(entry)) found.set(name, version)
    }
  } catch {
    // Without such a list nothing is known to be installed, which is the stricter answer.
  }
  return found
}
