import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import type { SubagentRegistry } from "../../src/definitions/registry/registry.ts"
import { openRuns } from "../../src/faces/cli/run/open.ts"
import type { Diagnostic } from "../../src/ground/diagnostics/diagnostic.ts"
import { CadreError, StartError } from "../../src/ground/errors.ts"
import type { Store } from "../../src/run/log/store.ts"
import { builtInProviders } from "../../src/world/models/providers.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { dispatched } from "../dispatch-kit.ts"
import { commit, git } from "../git-kit.ts"

/** What a start of an agent came to: what it was refused for, in the lines of `check`. */
export interface Start {
  readonly agent: string
  readonly file: string
  readonly checked: readonly string[]
  readonly refused: readonly string[]
}

/**
 * A project in which nothing is missing that only a start can find: every provider has a key, there is somebody to search,
 * and everything is trusted.
 * A run that could be created goes no further, so nobody is asked anything.
 */
export class AgreeingWorld {
  readonly base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "cadre-agree-")))
  readonly work = path.join(this.base, "work")
  readonly environment = {
    HOME: path.join(this.base, "home"),
    CADRE_STATE_DIR: path.join(this.base, "state"),
    CADRE_CONFIG_DIR: path.join(this.base, "config"),
    ...Object.fromEntries(
      builtInProviders.flatMap(({ keyVariables = [] }) =>
        keyVariables.map((name) => [name, "a key of nobody"]),
      ),
    ),
  }

  constructor() {
    this.put("work/README.md", "A project.\n")
    git(this.work, "init", "--quiet", "--initial-branch", "main")
    commit(this.work)
    this.configure("")
  }

  /** The person's own configuration: somebody to ask, and somebody to search. */
  configure(yaml: string): void {
    this.put(
      "config/config.yaml",
      `model: ollama:usual\nsearch: { provider: searxng, url: "https://search.example.com" }\n${yaml}`,
    )
  }

  put(file: string, text: string): void {
    const place = path.join(this.base, file)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, text)
  }

  clear(folder: string): void {
    rmSync(path.join(this.base, folder), { recursive: true, force: true })
  }

  /** Checks everything, and starts every agent that a file of the project defines. */
  async starts(): Promise<readonly Start[]> {
    const place = { directory: this.work, environment: this.environment }
    const { stdout } = await dispatched(["check", "--json"], place)
    const found: readonly DiagnosticJson[] = JSON.parse(stdout).diagnostics
    const errors = found.filter(({ severity }) => severity === "error")
    const { runtime, workspace } = openRuns(
      { ...place, stdout: nowhere, stderr: nowhere, isTerminal: false },
      creating(),
      { trust: "all", model: "lenient", runs: "new" },
    )
    const starts: Start[] = []
    for (const { name, file } of agentsIn(workspace.registry)) {
      const shown = path.relative(this.work, file)
      const refused = (
        await this.#refused(async () => {
          const agent = workspace.registry.get(name)
          // Remora's agents work on a code node.
          const isRemora = agent.origin.format === "remora"
          const node = isRemora ? { node: "README.md" } : {}
          return runtime.run(agent, "Do it.", { cwd: this.work, ...node }).done
        })
      ).sort()
      const checked = errors
        .filter((error) => error.file === shown)
        .map(lineOf)
        .sort()
      // Of what cannot even be read, nobody asks what else would keep it from starting.
      const isBroken = !workspace.registry.has(name) && refused.length > 0
      const told = isBroken ? checked.filter((line) => refused.includes(line)) : checked
      starts.push({ agent: name, file: shown, checked: told, refused })
    }
    await runtime.close()
    return starts
  }

  async #refused(start: () => Promise<unknown>): Promise<string[]> {
    try {
      await start()
      throw new TypeError("no run goes further than its creation")
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      if (error.code === "STORE_FAILED") return []
      const { diagnostics = [] } = error
      const untold =
        error instanceof StartError
          ? error.problems.filter(({ kind, message }) => kind !== "written" && !isTakenOn(message))
          : []
      const shown = (file: string) => path.relative(this.work, file)
      const lines = diagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ file, range, code, message }: Diagnostic) =>
          lineOf({ file: file === undefined ? null : shown(file), range, code, message }),
        )
      if (lines.length === 0 && !isTakenOn(error.message)) return [`${error.code}: ${error.message}`]
      return [...lines, ...untold.map(({ kind, message }) => `${kind}: ${message}`)]
    }
  }

  close(): void {
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** An agent that a run takes on is sound, and cannot be started by itself. */
const isTakenOn = (message: string): boolean => message.includes("its `mode` is self")

interface DiagnosticJson {
  readonly code: string
  readonly message: string
  readonly severity?: string
  readonly file: string | null
  readonly range: { readonly start: { readonly line: number; readonly column: number } }
}

const lineOf = ({ file, range: { start }, code, message }: DiagnosticJson): string =>
  `${file}:${start.line}:${start.column} ${code}: ${message}`

/** The definition of each name that would be used, or is broken. */
function agentsIn(registry: SubagentRegistry): readonly { readonly name: string; readonly file: string }[] {
  const entries = registry
    .entries()
    .filter(({ candidate, state }) => candidate.scope === "project" && state.type !== "shadowed")
  const names = new Set(entries.map(({ candidate }) => candidate.agent.name))
  return [...names].flatMap((name) => {
    const ofName = entries.filter(({ candidate }) => candidate.agent.name === name)
    const used = ofName.find(({ state }) => state.type === "active") ?? ofName[0]!
    const { file } = used.candidate
    return file ? [{ name, file: file.path }] : []
  })
}

const nowhere = { write: () => true }

/** Nothing keeps a run from starting once it is to be created. */
const creating = (): Store => ({
  ...memoryStore(),
  create: () => Promise.reject(new CadreError("STORE_FAILED", "It could be created.")),
})
