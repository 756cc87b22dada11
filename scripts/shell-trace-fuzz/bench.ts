import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { findInstalledPrograms } from "../../src/world/shell/machine.ts"
import { findShellAccesses } from "../../src/world/shell/shell-accesses.ts"
import { isUnknown } from "../shell-floor/everyday.ts"
import { type Judged, untold } from "./compare.ts"
import { type Deed, readTrace } from "./read-trace.ts"
import { runTraced, searched } from "./run-traced.ts"
import { makePattern } from "./world.ts"

export interface Fault {
  readonly line: string
  /** The actions of the command that were not predicted. */
  readonly untold: readonly string[]
  readonly told: readonly string[]
}

/** The actions of a command, with its folder as `.` and the parent folder as `..`. */
export interface Traced extends Judged {
  readonly deeds: readonly Deed[]
}

/** Judges commands and runs them, each in a world of its own. */
export class Bench {
  readonly #base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-trace-fuzz-")))
  readonly #home = path.join(this.#base, "home")
  readonly #patterns = (["clean", "changed"] as const).map((state) => path.join(this.#base, state))
  #next = 0

  constructor() {
    fs.mkdirSync(path.join(this.#home, "private"), { recursive: true })
    fs.writeFileSync(path.join(this.#home, "private/h.txt"), "private\n")
    makePattern(this.#patterns[0]!, "clean")
    makePattern(this.#patterns[1]!, "changed")
  }

  close(): void {
    fs.rmSync(this.#base, { recursive: true, force: true })
  }

  /** Runs those of the commands that the judge understands, and says what was not told about them. */
  async compare(
    lines: readonly string[],
  ): Promise<{ readonly known: readonly Traced[]; readonly faults: readonly Fault[] }> {
    const judged = await Promise.all(lines.map((line) => this.#judge(line)))
    const known = await this.#trace(judged.filter(({ accesses }) => !isUnknown(accesses)))
    const faults = known.flatMap((one): readonly Fault[] => {
      const found = untold(one, one.deeds)
      const told = one.accesses.map((access) => JSON.stringify(access).replaceAll(one.folder, "."))
      return found.length === 0 ? [] : [{ line: one.line, untold: found, told }]
    })
    return { known, faults }
  }

  /** Runs commands, understood or not. */
  async run(lines: readonly string[]): Promise<readonly Traced[]> {
    return this.#trace(await Promise.all(lines.map((line) => this.#judge(line))))
  }

  /** Judged in the pattern of its world, which looks the same. */
  async #judge(line: string): Promise<Judged> {
    const number = this.#next++
    // Only git tells the two apart.
    const pattern = this.#patterns[line.startsWith("git ") ? number % 2 : 0]!
    const place = path.join(this.#base, "cases", String(number))
    const work = path.join(pattern, "w")
    const accesses = await findShellAccesses(line, {
      cwd: work,
      root: work,
      home: this.#home,
      machine: findInstalledPrograms(searched),
    })
    return {
      line,
      folder: path.join(place, "w"),
      pattern,
      home: this.#home,
      before: (file) => kindOf(file.replace(place, pattern)),
      accesses: accesses.map((access) =>
        "path" in access ? { ...access, path: access.path.replace(pattern, place) } : access,
      ),
    }
  }

  async #trace(judged: readonly Judged[]): Promise<readonly Traced[]> {
    if (judged.length === 0) return []
    const trace = await runTraced(judged, {
      base: this.#base,
      patterns: this.#patterns,
      cases: path.join(this.#base, "cases"),
      home: this.#home,
    })
    const deeds = readTrace(trace, new Set(judged.map(({ folder }) => folder)))
    return judged.map((one) => ({ ...one, deeds: deeds.get(one.folder)! }))
  }
}

function kindOf(file: string): "file" | "folder" | "nothing" {
  try {
    return fs.statSync(file).isDirectory() ? "folder" : "file"
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    // The second: a file stands where a folder would have to. The third: no file can have such a name.
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code)) return "nothing"
    throw error
  }
}
