import fs from "node:fs"
import path from "node:path"
import { defineConfig, type Rolldown } from "tsdown"

export default defineConfig({
  entry: {
    index: "src/index.ts",
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
      "src/faces/hosts/ai-sdk.ts",
      "src/faces/hosts/openai-agents.ts",
      "src/faces/testing/index.ts",
    ],
  },
  sourcemap: true,
  // Node takes about a third of a millisecond for each file it imports: what starts together lies together.
  outputOptions: {
    codeSplitting: {
      groups: [
        // The one for its side effect, as package.json says; the other is all that `cadre --version` needs besides.
        { name: "node-version", test: /[\\/]src[\\/]ground[\\/]node-version\.ts$/ },
        { name: "version", test: /[\\/]src[\\/]ground[\\/]version\.ts$/ },
        together("testing", "src/faces/testing/index.ts", "src/index.ts"),
        // Every command can fail, and most of them without having read a definition.
        inFiles("failures", "definitions/formats/agent-file-error", "ground/diagnostics/shown-path"),
        together("ground", "src/faces/cli/commands/completion.ts", "src/faces/cli/commands/list.ts"),
        // What lists of runs need of the library: much less than a runtime.
        together(
          "basics",
          "src/faces/cli/commands/runs.ts",
          "src/faces/cli/commands/list.ts",
          "src/index.ts",
        ),
        together("runs", "src/faces/cli/commands/runs.ts", "src/index.ts"),
        together("definitions", "src/faces/cli/commands/list.ts", "src/index.ts"),
        together("library", "src/index.ts"),
        // After the library, so that nothing of the library lies in files of the command line.
        inFiles(
          "words",
          ...["report-failure", "trust/untrusted-error", "usage-error", "global-options", "placed-text"].map(
            (name) => `faces/cli/${name}`,
          ),
        ),
        inFiles("tables", "faces/cli/terminal/table", "faces/cli/stored-runs/runs-folder"),
        inFiles("run-words", "faces/cli/stored-runs/find-run", "faces/cli/run/words"),
        together("commands", "src/faces/cli/commands/list.ts"),
        // What loads at its first use, in one file besides its own.
        together("engine", "src/run/engine.ts"),
        // Whoever calls one of the tools calls others.
        {
          name: "file-tools",
          test: /[\\/]src[\\/](?:world[\\/]tools[\\/](?!execute[\\/])(?:[\w-]+[\\/])?|ground[\\/]paths[\\/])[\w-]+\.ts$/,
        },
      ],
    },
  },
})

/** One file of just these. */
function inFiles(name: string, ...files: readonly string[]): Rolldown.CodeSplittingGroup {
  const paths = new Set(files.map((file) => path.resolve("src", `${file}.ts`)))
  for (const file of paths)
    if (!fs.existsSync(file)) throw new Error(`tsdown.config.ts: ${file} does not exist`)
  return { name, test: (id) => paths.has(id) }
}

/** One file of what all of these import, statically and at any depth, as far as no group before it has it. */
function together(name: string, ...starts: readonly string[]): Rolldown.CodeSplittingGroup {
  const needed = new Map<string, Set<string>>()
  const entries = new Set(starts.map((start) => path.resolve(start)))
  return {
    name(id, context) {
      const isShared = [...entries].every((start) => {
        if (!needed.has(start)) needed.set(start, importedBy(start, context))
        return needed.get(start)?.has(id)
      })
      return isShared && !entries.has(id) ? name : null
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
