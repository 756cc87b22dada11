import fs from "node:fs"
import path from "node:path"

/** The installed programs and their versions. */
export interface InstalledPrograms {
  /** True if the installed program is the one that a table describes: same package, same major version. */
  has(program: string, version: string): boolean
}

/** A machine on which every program is the one that its table describes. */
export const everyTableInstalled: InstalledPrograms = { has: () => true }

const machines = new Map<string, InstalledPrograms>()

/**
 * The machine that this process runs on, with its answers cached for each search path. No program is run to
 * find them.
 */
export function findInstalledPrograms(searchPath: string = process.env.PATH ?? ""): InstalledPrograms {
  const cached = machines.get(searchPath)
  if (cached) return cached
  const answers = new Map<string, boolean>()
  const machine: InstalledPrograms = {
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
    const [name = "", expected = ""] = one.split(" ")
    if (name === "npm") return majorOf(npmVersion(searchPath) ?? "none") === expected
    const installed = packages().get(name)
    // Where several packages provide the name, the file behind the name tells which one it is.
    const isMeant = several.length === 1 || path.basename(file ?? "") === name
    return (
      file !== undefined && isMeant && installed !== undefined && majorOf(installed) === majorOf(expected)
    )
  })
}

const majorOf = (version: string): string => /^[0-9]*/.exec(version)![0]

/**
 * The first file of that name on the search path. Undefined unless it lies in a system folder, and its real
 * path, too.
 */
function fileOf(program: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(":")) {
    const file = path.join(folder || ".", program)
    if (!fs.existsSync(file)) continue
    const real = fs.realpathSync(file)
    return systemFolders.has(folder) && systemFolders.has(path.dirname(real)) ? real : undefined
  }
  return undefined
}

/** npm updates itself past the packages of the system. */
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

/**
 * The installed packages of Debian and its relatives. On other systems no program but npm matches its table.
 */
function packages(): ReadonlyMap<string, string> {
  installed ??= readPackages("/var/lib/dpkg/status")
  return installed
}

function readPackages(file: string): ReadonlyMap<string, string> {
  const versions = new Map<string, string>()
  try {
    for (const entry of fs.readFileSync(file, "utf8").split("\n\n")) {
      const name = /^Package: (.*)$/m.exec(entry)?.[1]
      const version = /^Version: (?:[0-9]+:)?(.*)$/m.exec(entry)?.[1]
      if (name && version && /^Status: .* installed$/m.test(entry)) versions.set(name, version)
    }
  } catch {
    // Without the list nothing counts as installed, which is the stricter answer.
  }
  return versions
}
