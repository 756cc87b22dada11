import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import manifest from "../package.json" with { type: "json" }
import buildConfig from "../tsdown.config.ts"
import { namesDeclaredTwice } from "./architecture/exported-names.ts"
import { formatNamesIn } from "./architecture/format-names.ts"
import { house } from "./architecture/house.ts"
import { functionsWithoutVerb, participlesAsNames } from "./architecture/meant-names.ts"
import nounFunctions from "./architecture/noun-functions.json" with { type: "json" }
import { problemsOf } from "./architecture/problems.ts"
import { questionWords, verbWords } from "./architecture/verbs.ts"
import { put } from "./file-kit.ts"

const root = path.resolve(import.meta.dirname, "..")
const longestFile = 400

const sources = fs
  .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replaceAll(path.sep, "/"))
const written = sources.filter((file) => !file.endsWith(".test.ts"))
const imports = written.flatMap(importsOf)
/** Everything that can import. */
const programs = ["", "bench/", "examples/", "scripts/", "src/", "test/"].flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: folder !== "", encoding: "utf8" })
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .map((file) => folder + file.replaceAll(path.sep, "/")),
)

describe("formats", () => {
  test("are not known by their names where agents are run and models are asked", () => {
    expect(
      formatNamesIn(path.join(root, "src")),
      "What a format needs is one of its ways: src/agent/format-traits.ts. Settings of a host are handed in.",
    ).toEqual([])
  })

  test("are found where they are, and facts about models are none", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-formats-"))
    try {
      put(folder, {
        "run/state/remora-codes.ts": "export const isRemora = true",
        "run/a.ts": 'import "../codex-settings.ts"\n// acai and Gobby\nexport const x = `as Claude does.`',
        "world/models/a.ts":
          'export const is = (format: string) => format === "codex-md" || format === "claude"',
        "world/models/b.ts":
          'export const facts = ["gpt-5-codex", "claude-opus-5", "CODEX_OSS_PORT", /codex/]',
        "definitions/codex.ts": 'export const codex = "codex"',
      })
      expect(formatNamesIn(folder).toSorted()).toEqual([
        "run/a.ts: ../codex-settings.ts",
        "run/a.ts: Claude",
        "run/state/remora-codes.ts: isRemora",
        "run/state/remora-codes.ts: its own name",
        "world/models/a.ts: claude",
        "world/models/a.ts: codex-md",
      ])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})

describe("the house", () => {
  test("has every file on its floor and in its room, imports that lead down, and no circles", () => {
    expect(
      problemsOf(path.join(root, "src"), house),
      "Move what both need downwards, or hand it in as a parameter. The list is in test/architecture/house.ts.",
    ).toEqual([])
  })

  test.each([
    [
      "an import to a floor above",
      { "ground/a.ts": 'import "../run/b.ts"', "run/b.ts": "" },
      ["upward: ground/a.ts imports run/b.ts"],
    ],
    [
      "a type from a room above, loaded at first use",
      { "run/log/a.ts": 'type B = import("../drive/b.ts").B', "run/drive/b.ts": "export interface B {}" },
      ["upward: run/log/a.ts imports run/drive/b.ts"],
    ],
    [
      "two files that import each other's types",
      { "ground/a.ts": 'import type { B } from "./b.ts"', "ground/b.ts": 'export type { A } from "./a.ts"' },
      ["files in a circle: ground/a.ts ground/b.ts"],
    ],
    ["a folder that nobody listed", { "attic/a.ts": "" }, ["not in the list: attic/."]],
    [
      "a folder with too many files",
      Object.fromEntries(Array.from({ length: 46 }, (_, index) => [`ground/f${index}.ts`, ""])),
      ["46 files in one folder: ground"],
    ],
  ])("does not stand with %s", (_, files: Readonly<Record<string, string>>, expected) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-house-"))
    try {
      put(folder, files)
      const floors = [
        ["ground", ["."]],
        ["run", ["log", "drive", "."]],
      ] as const
      const told = problemsOf(folder, { floors })
      expect(told.filter((line) => !line.startsWith("in the list, and not there"))).toEqual(expected)
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  test("lists nothing that is not there", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-house-"))
    expect(problemsOf(folder, { floors: [["ground", ["."]]] })).toEqual([
      "in the list, and not there: ground/.",
    ])
    fs.rmSync(folder, { recursive: true })
  })
})

describe("imports", () => {
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
})

describe("the repository", () => {
  test("imports nothing from outside of it, in any file", () => {
    const leading = programs.flatMap((file) =>
      waysIn(read(file))
        .map((way) => path.posix.join(path.posix.dirname(file), way))
        .filter((place) => place.startsWith(".."))
        .map((place) => `${file} imports ${place}`),
    )
    expect(
      leading,
      "Take it into the repository. What tests only read goes through test/material.ts.",
    ).toEqual([])
  })

  test.each([
    'import { a } from "../../beside/a.ts"',
    'export * from "../../beside/a.ts"',
    'const a = await import("../../beside/a.ts")',
    ['const a = new URL("../../beside/a.mjs"', "import.meta.url)"].join(", "),
  ])("would be found to import by %s", (text) => {
    expect(waysIn(text).map((way) => path.posix.join("src", way))).toEqual([
      expect.stringMatching(/^\.\.\/beside\/a/),
    ])
  })

  test("has each test beside its source or in the folder of its area", () => {
    const loose = fs
      .readdirSync(path.join(root, "test"))
      .filter((file) => file.endsWith(".test.ts") && file !== "architecture.test.ts")
    expect(loose, "Put it into a folder of test/. CONTRIBUTING.md says which.").toEqual([])
  })
})

describe("shape", () => {
  // Hover texts and examples of the public API make no code longer.
  test(`no source file is over ${longestFile} lines without its doc comments`, () => {
    const long = written
      .map((file) => ({
        file,
        lines: withoutDocs(read(`src/${file}`))
          .trimEnd()
          .split("\n").length,
      }))
      .filter(({ lines }) => lines > longestFile)
      .map(({ file, lines }) => `src/${file}: ${lines}`)
    expect(long, "Split it by concept; a file of a good size is below 200 lines.").toEqual([])
  })

  test("there are no other entry points than the library and its subpaths, two hosts, what tests need, and the command line", () => {
    expect(
      buildConfig.entry,
      "A new entry point is a promise to keep: add it here, in package.json and in AGENTS.md.",
    ).toEqual({
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
      "script-engine": "src/world/scripts/engine/main.ts",
    })
    expect(manifest.bin).toEqual({ cadre: "dist/cli.mjs" })
    expect(manifest.exports, "package.json exports what tsdown builds, and nothing else.").toEqual({
      ".": { types: "./dist/index.d.mts", default: "./dist/index.mjs" },
      "./files": { types: "./dist/files.d.mts", default: "./dist/files.mjs" },
      "./store": { types: "./dist/store.d.mts", default: "./dist/store.mjs" },
      "./hooks": { types: "./dist/hooks.d.mts", default: "./dist/hooks.mjs" },
      "./pipeline": { types: "./dist/pipeline.d.mts", default: "./dist/pipeline.mjs" },
      "./planner": { types: "./dist/planner.d.mts", default: "./dist/planner.mjs" },
      "./nodes": { types: "./dist/nodes.d.mts", default: "./dist/nodes.mjs" },
      "./ai-sdk": { types: "./dist/ai-sdk.d.mts", default: "./dist/ai-sdk.mjs" },
      "./openai-agents": { types: "./dist/openai-agents.d.mts", default: "./dist/openai-agents.mjs" },
      "./testing": { types: "./dist/testing.d.mts", default: "./dist/testing.mjs" },
      "./package.json": "./package.json",
    })
  })
})

describe("one of each", () => {
  test("no two files export declarations of one name; a second one would be found", () => {
    expect(namesDeclaredTwice(path.join(root, "src")), "Say in the name what it is of.").toEqual([])
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-names-"))
    try {
      put(folder, {
        "a.ts": "export const place = 1\nexport type Place = string\n",
        "b.ts": "export function place() {}\nconst Place = 2\n",
      })
      expect(namesDeclaredTwice(folder)).toEqual(["place: a.ts, b.ts"])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  test("names with stars are matched in one place", () => {
    const others = written.filter(
      (file) => file !== "ground/patterns/stars.ts" && /split\("\*"\)/.test(read(`src/${file}`)),
    )
    expect(others, "Ask `matches` in src/ground/patterns/stars.ts.").toEqual([])
  })

  test("tables of keys have rows of one kind", () => {
    const own = written.filter((file) =>
      /interface [^{]*\{[^}]*readonly (?:key: string|doc: string)\n[^}]*readonly (?:key: string|doc: string)\n/.test(
        read(`src/${file}`),
      ),
    )
    expect(own, "Let its rows extend `Key` of src/ground/keys.ts.").toEqual(["ground/keys.ts"])
  })

  test("no two types of what is wrong have one name", () => {
    const names = written.flatMap((file) =>
      [
        ...read(`src/${file}`).matchAll(
          /^(?:export )?(?:interface|type) (\w*(?:Problem|Finding|Diagnostic))\b/gm,
        ),
      ].map(([, name]) => name!),
    )
    expect(
      names.filter((name, index) => names.indexOf(name) !== index),
      "Take one of src/ground/diagnostics, or say in the name what it is about.",
    ).toEqual([])
  })
})

describe("names", () => {
  const exceptions: readonly (readonly [name: string, why: string])[] = [
    ["definitions/lifecycle/compile.ts: found", "hooks in logs and reports have `commands.found`"],
    ["definitions/lifecycle/hook.ts: found", "hooks in logs and reports have `commands.found`"],
    ["faces/cli/explain/locate-hooks.ts: found", "hooks in logs and reports have `commands.found`"],
    ["faces/cli/run/dry-run-report.ts: given", "the JSON of a dry run has `trust.given`"],
    ["faces/cli/run/dry-run-text.ts: given", "the JSON of a dry run has `trust.given`"],
    ["run/decide/action.ts: left", "the event `run-stop` has `left`"],
    ["run/decide/apply-model.ts: asked", "the event `model-end` has `asked`"],
    ["run/drive/proof.ts: asked", "the event `model-end` has `asked`"],
    ["run/log/event-model.ts: asked", "the event `model-end` has `asked`"],
    ["run/log/event-run.ts: left", "the event `run-stop` has `left`"],
    ["run/ports/hook.ts: found", "hooks in logs and reports have `commands.found`"],
    ["run/state/state.ts: asked", "the event `model-end` has `asked`"],
    ["run/state/state.ts: left", "the event `run-stop` has `left`"],
  ]

  test("no participle is a name, except where logs and JSON have it", () => {
    expect(participlesAsNames(path.join(root, "src")), "Name the thing: matches, input, answer.").toEqual(
      exceptions.map(([name]) => name),
    )
  })

  // Factories of the entry points are named after the thing that they make, as users of the AI SDK and zod know it.
  test("exported functions begin with a verb or a question, except factories of the entry points", () => {
    const listed = [...verbWords].sort()
    expect([verbWords, questionWords]).toEqual([listed, [...questionWords].sort()])
    expect(
      functionsWithoutVerb(path.join(root, "src")),
      "Begin with a verb, of test/architecture/verbs.ts or a new one there. Only factories of entry points are listed.",
    ).toEqual(nounFunctions)
  })

  test("a participle, a side and a function named by a noun are told apart", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-names-"))
    try {
      put(folder, {
        "a.ts":
          "export function answerOf(given: string, { said }: Text) {}\nexport const readPlace = () => 1\n",
        "b.ts": "const compare = (left: number, right: number) => left - right\n",
        "c.ts": "export const place = () => { const left = 1 }\nexport const isPlace = () => true\n",
        "d.ts": "export const placeOf = 1\nfunction textOf() {}\nexport const report = function () {}\n",
        "e.ts": "export const damage = () => 1\nexport async function findings() {}\n",
      })
      expect(participlesAsNames(folder)).toEqual(["a.ts: given", "a.ts: said", "c.ts: left"])
      expect(functionsWithoutVerb(folder)).toEqual(["damage", "findings"])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})

describe("the map in AGENTS.md", () => {
  test("names only files and folders that are there", () => {
    const named = [...read("AGENTS.md").matchAll(/`((?:src|test|scripts|docs)\/[^`\s]*)`/g)].flatMap(
      ([, name]) => spelledOut(name!),
    )
    const gone = named.filter((name) => !/[A-Z]{3}/.test(name) && !fs.existsSync(path.join(root, name)))
    expect(named.length).toBeGreaterThan(50)
    expect(gone, "Mend the line, or remove it.").toEqual([])
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

/** Where a program leads: what it imports, and what it finds from its own place. */
function waysIn(text: string): readonly string[] {
  const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
  const found = [...text.matchAll(/new URL\(\s*"([^"]+)",\s*import\.meta\.url/g)].map(([, way]) => way!)
  return [...imported, ...found].filter((way) => way.startsWith("."))
}

/** `a/{b,c}.ts` names two files. */
function spelledOut(name: string): readonly string[] {
  const braces = /^(.*)\{([^}]*)\}(.*)$/.exec(name)
  return braces ? braces[2]!.split(",").map((middle) => braces[1]! + middle + braces[3]!) : [name]
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), "utf8")
}

const withoutDocs = (code: string): string => code.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "")
