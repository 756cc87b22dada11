import fs from "node:fs"
import path from "node:path"
import { defineConfig, type Rolldown } from "tsdown"

export default defineConfig({
  entry: {
    index: "src/index.ts",
    files: "src/files.ts",
    store: "src/store.ts",
    hooks: "src/hooks.ts",
    pipeline: "src/pipeline.ts",
    planner: "src/planner.ts",
    nodes: "src/nodes.ts",
    "ai-sdk": "src/faces/hosts/ai-sdk.ts",
    "openai-agents": "src/faces/hosts/openai-agents.ts",
    testing: "src/faces/testing/index.ts",
    cli: "src/faces/cli/main.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Nobody imports the command line.
  dts: {
    entry: [
      "src/index.ts",
      "src/files.ts",
      "src/store.ts",
      "src/hooks.ts",
      "src/pipeline.ts",
      "src/planner.ts",
      "src/nodes.ts",
      "src/faces/hosts/ai-sdk.ts",
      "src/faces/hosts/openai-agents.ts",
      "src/faces/testing/index.ts",
    ],
  },
  sourcemap: true,
  plugins: [inAscii()],
  // Node takes about a third of a millisecond for each file it imports: what starts together lies together.
  outputOptions: {
    // Readers have them in the declarations; here every process would have them read again.
    comments: { jsdoc: false },
    codeSplitting: {
      groups: [
        // The one for its side effect, as package.json says; the other is all that `cadre --version` needs besides.
        inFiles("node-version", "src/ground/node-version.ts"),
        inFiles("version", "src/ground/version.ts"),
        // Every command can fail, and most of them without having read a definition.
        besides(
          "foundation",
          either(
            together("foundation", "src/faces/testing/index.ts", "src/index.ts"),
            // What lists of agents and of runs both need of the library: much less than a runtime.
            together("foundation", "src/faces/cli/commands/runs.ts", "src/faces/cli/commands/list.ts"),
          ),
          "src/ground/diagnostics/escape-text.ts",
          "src/ground/diagnostics/display-path.ts",
          "src/definitions/formats/agent-file-error.ts",
          "src/ground/out-of-files.ts",
          "src/ground/system-program.ts",
        ),
        together("ground", "src/faces/cli/commands/completion.ts", "src/faces/cli/commands/list.ts"),
        either(
          together("runs", "src/faces/cli/commands/runs.ts", "src/index.ts"),
          together("runs", "src/faces/cli/commands/runs.ts", "src/files.ts"),
        ),
        together("agents", "src/faces/cli/commands/list.ts", "src/index.ts"),
        together("library", "src/index.ts"),
        // A first run needs templates and rights, and not the readers of files that need them, too.
        together("templates", "src/run/face/engine.ts", "src/faces/cli/commands/list.ts"),
        together("pipelines", "src/pipeline.ts", "src/faces/cli/commands/list.ts"),
        // Reading agents from files takes as much code as running them: programs that define agents in code do without.
        together("definitions", "src/faces/cli/commands/list.ts", "src/files.ts"),
        together("projects", "src/files.ts"),
        // After the library, so that nothing of the library lies in files of the command line.
        inFiles(
          "words",
          "src/faces/cli/report-failure.ts",
          "src/faces/cli/trust/untrusted-error.ts",
          "src/faces/cli/usage-error.ts",
          "src/faces/cli/global-options.ts",
          "src/faces/cli/placed-text.ts",
        ),
        inFiles("tables", "src/faces/cli/terminal/table.ts", "src/faces/cli/stored-runs/runs-folder.ts"),
        inFiles("run-words", "src/faces/cli/stored-runs/find-run.ts", "src/faces/cli/run/words.ts"),
        together("commands", "src/faces/cli/commands/list.ts"),
        // Lists of runs drive none of them: without this they would load all that does.
        together("standing", "src/faces/cli/commands/runs.ts", "src/run/face/engine.ts"),
        // What loads at its first use, in one file besides its own.
        together("engine", "src/run/face/engine.ts"),
        // Whoever calls one of the tools calls others.
        {
          name: "file-tools",
          test: /[\\/]src[\\/](?:world[\\/]tools[\\/](?!execute[\\/])(?:[\w-]+[\\/])?|ground[\\/]paths[\\/])[\w-]+\.ts$/,
        },
      ],
    },
  },
})

/** A single character above ASCII has Node decode a whole file slowly and keep it with two bytes a character. */
function inAscii(): Rolldown.Plugin {
  return {
    name: "in-ascii",
    generateBundle(_, bundle) {
      // The same number of lines: only places behind such a character are off in source maps.
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk" && chunk.fileName.endsWith(".mjs"))
          chunk.code = chunk.code.replace(/[\u0080-\uffff]/g, escaped)
    },
  }
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

/** One file of just these. */
function inFiles(name: string, ...files: readonly string[]): Rolldown.CodeSplittingGroup {
  const paths = pathsOf(files)
  return { name, test: (id) => paths.has(id) }
}

/** These in the same file. */
function besides(of: string, group: Shared, ...files: readonly string[]): Shared {
  const paths = pathsOf(files)
  return { name: (id, context) => (paths.has(id) ? of : group.name(id, context)) }
}

/** What one of two groups has, in one file. */
function either(one: Shared, other: Shared): Shared {
  return { name: (id, context) => one.name(id, context) ?? other.name(id, context) }
}

interface Shared {
  readonly name: (id: string, context: Rolldown.ChunkingContext) => string | null
}

function pathsOf(files: readonly string[]): ReadonlySet<string> {
  const gone = files.filter((file) => !fs.existsSync(file))
  if (gone.length > 0) throw new Error(`tsdown.config.ts names files that are not there: ${gone.join(", ")}`)
  return new Set(files.map((file) => path.resolve(file)))
}

/** One file of what all of these import, statically and at any depth, as far as no group before it has it. */
function together(of: string, ...starts: readonly string[]): Shared {
  const needed = new Map<string, Set<string>>()
  const entries = new Set(starts.map((start) => path.resolve(start)))
  return {
    name(id, context) {
      const isShared = [...entries].every((start) => {
        if (!needed.has(start)) needed.set(start, importedBy(start, context))
        return needed.get(start)?.has(id)
      })
      return isShared && !entries.has(id) ? of : null
    },
  }
}

function importedBy(start: string, context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>()
  const add = (id: string): void => {
    if (found.has(id)) return
    found.add(id)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  add(start)
  return found
}
