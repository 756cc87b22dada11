import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = path.resolve(import.meta.dirname, "../..")

/** Loaded at first use somewhere, and with the main entry nevertheless: small ones. */
const loadedBothWays = ["ground/paths/refusal.ts", "world/models/scripted.ts"]
/** Of what runs need, what rules need, too: who may call whom, with which tools. It drives, asks and keeps nothing. */
const rightsAlone = [
  "agent-access",
  "binding-sets",
  "callable",
  "find-denial",
  "pattern",
  "reach-limit",
  "reach",
  "requested-tools",
  "rights",
  "rule-sets",
  "tool-list",
]
/** Node compiles about fifty bytes in a microsecond, and an importer of the main entry waits for all of them. */
const mostBytesAtImport = 608_000
/** The same, together with what the first run loads. */
const mostBytesAtFirstRun = 1_045_000
/** The same for every command, before its own file is loaded. */
const mostBytesAtStart = 82_000

let folder = ""
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-loading-"))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

test.each(["index", "ai-sdk", "openai-agents", "testing"])(
  "importing the built %s loads no package",
  (entry) => {
    // Where no node_modules is near, a package that loads at import cannot be found.
    fs.cpSync(path.join(root, "dist"), path.join(folder, "dist"), { recursive: true })
    expect(
      () => importing(path.join(folder, "dist", `${entry}.mjs`)),
      "Load it at first use with `await import(...)`. If dist is missing, run: npm run build",
    ).not.toThrow()
  },
)

test("importing the built index loads no file of ours that is meant to load at first use", () => {
  const { modules, bytes } = chunksOf("index.mjs")
  const late = fs
    .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.startsWith("faces/cli"))
    .flatMap(lateImportsOf)
    .filter((file) => modules.has(file))
  expect(
    [...new Set(late)].sort(),
    "Something that the main entry imports statically imports this, so that its `await import(...)` saves nothing.",
  ).toEqual(loadedBothWays)
  // Programs that define their agents in code compile nothing that reads files of agents, nor the texts of pipelines.
  expect([...modules].filter((file) => /^(?:definitions\/(?:registry|rules)|language)\//.test(file))).toEqual(
    [],
  )
  expect(chunksOf("pipeline.mjs").modules).toContain("language/expression/evaluate.ts")
  expect(chunksOf("files.mjs").modules).toContain("definitions/registry/registry.ts")
  expect(
    bytes,
    "Importing the main entry compiles too much. Load what few importers need with `await import(...)`, where the work is asynchronous anyway.",
  ).toBeLessThan(mostBytesAtImport)
})

test("the first run of a program loads no reader of files of agents", () => {
  const { modules, bytes } = chunksOf(builtFrom("run/face/engine.ts"))
  expect([...modules].filter((file) => /^definitions\/(?:registry|rules)\//.test(file))).toEqual([])
  expect(modules).not.toContain("definitions/formats/read-agent.ts")
  expect(bytes).toBeLessThan(mostBytesAtFirstRun)
})

test("no built file makes Node decode it slowly with a character above ASCII", () => {
  const built = fs.readdirSync(path.join(root, "dist")).filter((file) => file.endsWith(".mjs"))
  expect(built).toContain("index.mjs")
  expect(built.filter((file) => /[^\0-\x7f]/.test(read(`dist/${file}`)))).toEqual([])
})

test("listing agents loads nothing that runs need, but for who may have what", () => {
  const { modules } = chunksOf(builtFrom("faces/cli/commands/list.ts"))
  const needless =
    /^(?:assembly|run\/(?!log\/)|world\/(?:models|tools|stores\/(?!jsonl\/directory)|sandbox|shell))/
  expect([...modules].filter((file) => needless.test(file)).sort()).toEqual([
    // Which folders are cadre's own: some lines, without what opens a project.
    "assembly/project/place.ts",
    ...rightsAlone.map((name) => `run/rights/${name}.ts`),
  ])
  expect(modules).toContain("definitions/registry/registry.ts")
})

test("listing runs loads no reader of definitions, and nothing that drives runs", () => {
  const { modules } = chunksOf(builtFrom("faces/cli/commands/runs.ts"))
  const needless =
    /^(?:assembly|language|definitions\/(?:registry|rules|lifecycle|authority|formats\/document)|run\/effects|world\/(?:models|tools|sandbox|shell))/
  expect([...modules].filter((file) => needless.test(file))).toEqual([])
  expect(modules).toContain("world/stores/jsonl.ts")
})

test("a command starts without what only some commands need", () => {
  expect(chunksOf(builtFrom("faces/cli/start.ts")).bytes).toBeLessThan(mostBytesAtStart)
})

/** The built file that a source lies in. */
function builtFrom(source: string): string {
  const built = fs.readdirSync(path.join(root, "dist")).filter((file) => file.endsWith(".mjs"))
  return built.find((file) => read(`dist/${file}`).includes(`//#region src/${source}\n`))!
}

test("importing the built index loads no module of Node that takes long and that it may never need", () => {
  const built = importing(path.join(root, "dist", "index.mjs"))
  const nothing = path.join(folder, "nothing.mjs")
  fs.writeFileSync(nothing, "")
  const before = new Set(importing(nothing))
  const heavy = [
    "net",
    "tls",
    "http",
    "https",
    "dgram",
    "child_process",
    "worker_threads",
    "internal/deps/undici/undici",
    "crypto",
    "perf_hooks",
    // Comes with `node:util`.
    "internal/util/parse_args/parse_args",
  ]
  const loaded = built.filter((name) => !before.has(name) && heavy.includes(name))
  expect(
    loaded,
    "Load it at first use with `await import(...)`: a program that only defines agents must not pay for it.",
  ).toEqual([])
})

/** What a file loads with `import(...)`, relative to src. */
function lateImportsOf(file: string): readonly string[] {
  return [...read(`src/${file}`).matchAll(/\bimport\("(\.[^"]+)"\)/g)].map(([, name]) =>
    path.posix.join(path.posix.dirname(file), name!),
  )
}

test("where what drives runs cannot be loaded, a run says so, the next one tries again, and the store is closed", () => {
  fs.cpSync(path.join(root, "dist"), path.join(folder, "dist"), { recursive: true })
  const program = `
    import fs from "node:fs"
    import { createRuntime, defineAgent, memoryStore, scriptedModel } from "./dist/index.mjs"
    const move = (from, to) => fs.readdirSync(from).filter((name) => name.startsWith("engine-"))
      .forEach((name) => fs.renameSync(from + name, to + name))
    const open = () => {
      const store = memoryStore()
      store.close = async () => { said.push("closed") }
      return createRuntime({
        store,
        agents: [defineAgent({ name: "a", instructions: "x" })],
        models: { m: scriptedModel({ a: [{ text: "done" }] }) },
      })
    }
    const said = []
    const run = (runtime) => runtime.run("a", "go").done.then(({ output }) => output, ({ code }) => code)
    fs.mkdirSync("./away")
    move("./dist/", "./away/")
    const [early, late] = [open(), open()]
    const running = run(early)
    await early.close()
    said.push(await running, await run(late))
    move("./away/", "./dist/")
    said.push(await run(late))
    await late.close()
    console.log(said.join(" "))`
  expect(evaluate(program, folder).trim()).toBe(
    "closed ERR_MODULE_NOT_FOUND ERR_MODULE_NOT_FOUND done closed",
  )
})

/** The names of Node's own modules that are loaded after a fresh process has imported a file. */
function importing(file: string): readonly string[] {
  const program = `await import(${JSON.stringify(pathToFileURL(file).href)}); console.log(JSON.stringify(process.moduleLoadList))`
  return (JSON.parse(evaluate(program)) as string[]).map((name) => name.replace(/^NativeModule /, ""))
}

/** What a program prints in a process of its own. */
const evaluate = (program: string, cwd = root): string =>
  execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "" },
  })

/** The sources in a built file and in all that it imports statically, and how large these files are without the names of the sources. */
function chunksOf(entry: string): { readonly modules: ReadonlySet<string>; readonly bytes: number } {
  const texts = new Map<string, string>()
  const add = (file: string): void => {
    if (texts.has(file)) return
    const text = read(`dist/${file}`)
    texts.set(file, text)
    for (const [, imported] of text.matchAll(/^(?:import|export) (?:[^"\n]* from )?"\.\/([^"]+)";$/gm))
      add(imported!)
  }
  add(entry)
  const all = [...texts.values()].join("\n")
  return {
    modules: new Set([...all.matchAll(/^\/\/#region src\/(.+)$/gm)].map(([, file]) => file!)),
    bytes: Buffer.byteLength(all.replace(/^\/\/#(?:end)?region.*$/gm, "")),
  }
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), "utf8")
}
