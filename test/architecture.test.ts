import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import manifest from "../package.json" with { type: "json" }
import buildConfig from "../tsdown.config.ts"

/**
 * What each place in src may import besides itself. A place is a folder of src, or a file that lies directly in it.
 * Unit tests beside the sources are exempt: they may use any store or model.
 */
const ground = [
  "crypto",
  "errors",
  "options",
  "message",
  "usage",
  "schema",
  "schema-engine",
  "schema-patterns",
  "schema-references",
  "patterns",
  "limits",
  "restricting",
  "diagnostics",
  "proxy",
  "out-of-files",
]
const words = [
  ...ground,
  "confinement",
  "isolation",
  "tool",
  "model",
  "prompt-context",
  "result-cache",
  "agent",
  "postcondition",
  "pipeline",
  "variable",
  "executor",
  "without-effect",
]
const adapter = [...words, "run"]
const mayImport: Readonly<Record<string, readonly string[]>> = {
  "node-version": [],
  version: [],
  "built-in-agents": [],
  crypto: [],
  proxy: [],
  "out-of-files": ["errors"],
  errors: ground,
  options: ["errors"],
  message: ground,
  usage: ["message"],
  schema: ground,
  "schema-engine": ground,
  "schema-patterns": ["message", "patterns"],
  "schema-references": ["message"],
  patterns: ["errors"],
  limits: ground,
  restricting: ["errors"],
  diagnostics: ground,
  confinement: [],
  isolation: [],
  variable: ["message"],
  executor: [],
  tool: words,
  attachments: ["errors", "message"],
  "prompt-context": ["errors"],
  "result-cache": ["errors", "prompt-context"],
  model: words,
  agent: [...words, "agent-problems"],
  "agent-problems": ground,
  postcondition: ground,
  pipeline: ground,
  "without-effect": ["agent"],
  expression: ["errors", "message"],
  template: ["errors", "message", "expression"],
  catalogue: ["errors", "message"],
  configuration: [...words, "formats", "catalogue", "built-in-agents"],
  skills: [...words, "formats"],
  routing: words,
  formats: [...words, "template", "catalogue", "pipelines"],
  pipelines: [...words, "expression", "template"],
  rules: [
    ...words,
    "run",
    "formats",
    "catalogue",
    "skills",
    "configuration",
    "pipelines",
    "lifecycle",
    "workflow",
  ],
  registry: [
    ...words,
    "formats",
    "rules",
    "catalogue",
    "skills",
    "configuration",
    "built-in-agents",
    "workflow",
  ],
  authority: [
    "run",
    "rules",
    "pipeline",
    "pipelines",
    "context",
    "skills",
    "crypto",
    "errors",
    "diagnostics",
    "message",
    "agent",
    "executor",
    "configuration",
    "registry",
    "formats",
    "catalogue",
    "lifecycle",
    "workflow",
  ],
  gates: [...words, "formats", "configuration", "registry", "rules", "lifecycle", "workflow"],
  run: [...words, "attachments", "catalogue", "template", "routing"],
  paths: ["crypto", "errors"],
  shell: ["tool"],
  sandbox: ["stores"],
  tools: [...adapter, "attachments", "paths", "shell", "sandbox", "formats", "skills", "pipelines"],
  postconditions: [...adapter, "paths", "tools"],
  cache: [...adapter, "paths"],
  executors: [...adapter, "catalogue", "models", "paths", "shell", "sandbox", "tools"],
  context: [...adapter, "paths", "skills", "formats", "rules", "registry"],
  worktree: ["errors", "isolation", "paths", "tools"],
  layers: adapter,
  stores: adapter,
  models: adapter,
  lifecycle: [...adapter, "expression", "template", "catalogue", "formats"],
  planners: [...adapter, "pipelines"],
  workflow: [...adapter, "expression", "template", "catalogue", "formats", "lifecycle"],
  testing: [...adapter, "attachments", "node-version"],
  "create-runtime": [
    ...adapter,
    "catalogue",
    "tools",
    "postconditions",
    "layers",
    "stores",
    "models",
    "lifecycle",
    "pipelines",
    "planners",
    "workflow",
    "registry",
    "configuration",
    "authority",
    "skills",
    "context",
    "worktree",
    "cache",
    "executors",
  ],
  embed: [
    ...adapter,
    "paths",
    "registry",
    "configuration",
    "skills",
    "context",
    "authority",
    "gates",
    "lifecycle",
    "workflow",
    "tools",
    "stores",
    "executors",
    "create-runtime",
  ],
  index: [
    ...adapter,
    "attachments",
    "embed",
    "node-version",
    "formats",
    "rules",
    "registry",
    "routing",
    "template",
    "catalogue",
    "configuration",
    "skills",
    "tools",
    "layers",
    "stores",
    "models",
    "lifecycle",
    "pipelines",
    "workflow",
    "cache",
    "create-runtime",
    "authority",
  ],
  cli: [
    ...words,
    "attachments",
    "built-in-agents",
    "node-version",
    "version",
    "run",
    "formats",
    "rules",
    "registry",
    "routing",
    "configuration",
    "authority",
    "gates",
    "models",
    "paths",
    "tools",
    "sandbox",
    "shell",
    "catalogue",
    "skills",
    "context",
    "lifecycle",
    "pipelines",
    "workflow",
    "stores",
    "worktree",
    "cache",
    "executors",
    "create-runtime",
    "index",
  ],
  hosts: ["index"],
  mcp: ["index"],
  web: ["index"],
}

const root = path.resolve(import.meta.dirname, "..")
const longestFile = 400

const sources = fs
  .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replaceAll(path.sep, "/"))
const written = sources.filter((file) => !file.endsWith(".test.ts"))
const imports = written.flatMap(importsOf)

describe("imports", () => {
  test("every place in src has its line in the table of directions", () => {
    const missing = [...new Set(written.map(placeOf))].filter((place) => !(place in mayImport))
    expect(
      missing,
      "Say in test/architecture.test.ts what this place may import, and in AGENTS.md what it is.",
    ).toEqual([])
  })

  test("no import goes against the direction", () => {
    const wrong = imports
      .filter(
        ({ from, to }) => placeOf(from) !== placeOf(to) && !mayImport[placeOf(from)]?.includes(placeOf(to)),
      )
      .map(({ from, to }) => `src/${from} imports src/${to}`)
    expect(
      wrong,
      "Move what both need downwards, or hand it in as a parameter: see the table at the top of this test.",
    ).toEqual([])
  })

  test("every import names a file that is there", () => {
    const wrong = imports
      .filter(({ to }) => !sources.includes(to))
      .map(({ from, to }) => `src/${from} imports ${to}`)
    expect(wrong, 'Write imports with their extension: "./name.ts".').toEqual([])
  })

  test("no source imports a test", () => {
    const wrong = imports.filter(({ to }) => to.endsWith(".test.ts")).map(({ from }) => `src/${from}`)
    expect(wrong, "What tests share with sources belongs in src/faces/testing.").toEqual([])
  })

  test("no two places import each other, not even in a circle", () => {
    expect(
      circle(),
      "Break the circle where the arrow is weakest, usually by moving a type downwards.",
    ).toBeUndefined()
  })
})

describe("shape", () => {
  test(`no source file is over ${longestFile} lines`, () => {
    const long = written
      .map((file) => ({ file, lines: read(`src/${file}`).trimEnd().split("\n").length }))
      .filter(({ lines }) => lines > longestFile)
      .map(({ file, lines }) => `src/${file}: ${lines}`)
    expect(long, "Split it by concept; a file of a good size is below 200 lines.").toEqual([])
  })

  test("there are no other entry points than the library, two hosts, what tests need, and the command line", () => {
    expect(
      buildConfig.entry,
      "A new entry point is a promise to keep: add it here, in package.json and in AGENTS.md.",
    ).toEqual({
      index: "src/index.ts",
      "ai-sdk": "src/faces/hosts/ai-sdk.ts",
      "openai-agents": "src/faces/hosts/openai-agents.ts",
      testing: "src/faces/testing/index.ts",
      cli: "src/faces/cli/main.ts",
    })
    expect(manifest.bin).toEqual({ cadre: "dist/cli.mjs" })
    expect(manifest.exports, "package.json exports what tsdown builds, and nothing else.").toEqual({
      ".": { types: "./dist/index.d.mts", default: "./dist/index.mjs" },
      "./ai-sdk": { types: "./dist/ai-sdk.d.mts", default: "./dist/ai-sdk.mjs" },
      "./openai-agents": { types: "./dist/openai-agents.d.mts", default: "./dist/openai-agents.mjs" },
      "./testing": { types: "./dist/testing.d.mts", default: "./dist/testing.mjs" },
      "./package.json": "./package.json",
    })
  })
})

describe("dependencies", () => {
  test.each(["dependencies", "devDependencies"] as const)(
    "AGENTS.md gives a reason for each of %s",
    (kind) => {
      const heading = kind === "dependencies" ? "### Runtime" : "### Development"
      const section = read("AGENTS.md").split(`${heading}\n`)[1]?.split(/^#/m)[0] ?? ""
      const explained = [...section.matchAll(/^- `([^`]+)`: \S/gm)].map(([, name]) => name)
      expect(
        explained.sort(),
        `Below "${heading}" in AGENTS.md there is one line for each: - \`name\`: why. No line without a dependency.`,
      ).toEqual(Object.keys(manifest[kind]).sort())
    },
  )
})

interface Import {
  /** Both relative to src. */
  readonly from: string
  readonly to: string
}

/** The relative imports of a file: static, dynamic, re-exported and type-only ones. */
function importsOf(file: string): readonly Import[] {
  return ts
    .preProcessFile(read(`src/${file}`), true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith("."))
    .map((name) => ({ from: file, to: path.posix.join(path.posix.dirname(file), name) }))
}

function placeOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : file.replace(/\.ts$/, "")
}

/** One circle of places, written out, or undefined. */
function circle(): string | undefined {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of imports)
    if (placeOf(from) !== placeOf(to))
      next.set(placeOf(from), (next.get(placeOf(from)) ?? new Set()).add(placeOf(to)))
  const done = new Set<string>()
  const visit = (place: string, trail: readonly string[]): string | undefined => {
    if (trail.includes(place)) return [...trail.slice(trail.indexOf(place)), place].join(" → ")
    if (done.has(place)) return undefined
    for (const other of next.get(place) ?? []) {
      const found = visit(other, [...trail, place])
      if (found !== undefined) return found
    }
    done.add(place)
    return undefined
  }
  for (const place of next.keys()) {
    const found = visit(place, [])
    if (found !== undefined) return found
  }
  return undefined
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), "utf8")
}
