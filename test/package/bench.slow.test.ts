/** The benchmark measures only what was done. Nothing here judges how long it took. Needs dist. */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../file-kit.ts"

const bench = path.resolve(import.meta.dirname, "../../bench")

type Measured =
  | { readonly type: "failed"; readonly reason: string }
  | ({ readonly type: "measured" } & Readonly<Record<string, number>>)

// Plain JavaScript without types.
const { measure } = (await import(pathToFileURL(path.join(bench, "lib/measure.mjs")).href)) as {
  readonly measure: (adapter: string, scenario: string, parameters: object) => Promise<Measured>
}

const { measureCalls } = (await import(pathToFileURL(path.join(bench, "parts/mcp.mjs")).href)) as {
  readonly measureCalls: (side: string, parameters: object) => Promise<Measured>
}

const small = {
  turns: { turns: 3, warm: 1, repetitions: 2, maxMs: 10_000 },
  delegate: { count: 3, warm: 1 },
  fanout: { count: 20, concurrency: 4, warm: 1, probe: 12 },
  live: { count: 10, delay: 600_000, maxMs: 600_000 },
}
/** Generous, because another process may have the machine. */
const timeout = 300_000

const figures = {
  turns: ["cpuPerTurn", "kilobytesPerRun", "msPerTurn", "type"],
  delegate: ["cpuEach", "msEach", "type"],
  fanout: ["cpu", "maxOpen", "peakMegabytes", "type", "wall"],
  live: ["heapKilobytesEach", "idleMegabytes", "msToAllLive", "rssKilobytesEach", "type"],
}

const scenarios = ["turns", "delegate", "fanout", "live"] as const

describe.each(["floors/raw-fetch.mjs", "adapter.mjs"])("%s does the work of", (adapter) => {
  test.each(scenarios)(
    "%s",
    async (scenario) => {
      const result = await measure(path.join(bench, adapter), scenario, small[scenario])
      expect(Object.keys(result).sort(), JSON.stringify(result)).toEqual(figures[scenario])
      if (scenario === "fanout") expect(result).toMatchObject({ maxOpen: 4 })
    },
    timeout,
  )
})

test.each([
  ["floors/raw-fetch-stream.mjs", "delegate"],
  ["adapter-stream.mjs", "delegate"],
  ["adapter-jsonl.mjs", "turns"],
  ["floors/raw-responses.mjs", "turns"],
  ["adapter-responses.mjs", "turns"],
  ["floors/raw-responses-stream.mjs", "turns"],
  ["adapter-responses-stream.mjs", "turns"],
] as const)(
  "%s does the work of %s",
  async (adapter, scenario) => {
    const result = await measure(path.join(bench, adapter), scenario, small[scenario])
    expect(result).toMatchObject({ type: "measured" })
  },
  timeout,
)

test.each(["client", "memory", "files"])(
  "the side %s calls an MCP server and is given back its words",
  async (side) => {
    const result = await measureCalls(side, { calls: 8, warm: 4, together: 4 })
    expect(Object.keys(result).sort(), JSON.stringify(result)).toEqual(["cpuEach", "msEach", "type"])
  },
  timeout,
)

test("a side that does not exist fails the round", async () => {
  expect(await measureCalls("nothing", { calls: 8, warm: 4, together: 4 })).toMatchObject({ type: "failed" })
})

describe("an adapter that does not do the work fails the round", () => {
  const loop = pathToFileURL(path.join(bench, "floors/raw-fetch.mjs")).href
  const wrapped = (agent: string) =>
    `import { create as floor } from "${loop}"\nexport const create = (given) => ({ agent: ({ turns }) => ${agent} })`
  const folder = temporaryFolder({
    "talks.mjs": wrapped('async () => "The answer is 42."'),
    "less.mjs": wrapped("floor(given).agent({ turns: turns - 1 })"),
    "more.mjs": wrapped(
      "async () => (await floor(given).agent({ turns: 0 })(), floor(given).agent({ turns })())",
    ),
    "silent.mjs": wrapped("async () => (await floor(given).agent({ turns })()).slice(0, 10)"),
    "throws.mjs": wrapped('async () => { throw new Error("It is broken.") }'),
    "dies.mjs": wrapped("async () => process.exit(3)"),
    "absent.mjs": 'import "a-package-that-is-not-there"',
  })

  test.each([
    ["talks.mjs", "The model server saw 0 requests in place of 8."],
    ["less.mjs", "The model server saw 6 requests in place of 8."],
    ["more.mjs", "The model server saw 10 requests in place of 8."],
    ["silent.mjs", "The final text is wrong"],
    ["throws.mjs", "It is broken."],
    ["dies.mjs", "Its process ended without a result."],
    ["absent.mjs", "Cannot find package 'a-package-that-is-not-there'"],
  ])(
    "%s: %s",
    async (file, reason) => {
      expect(await measure(path.join(folder, file), "turns", small.turns)).toEqual({
        type: "failed",
        reason: expect.stringContaining(reason),
      })
    },
    timeout,
  )
})

describe("npm run bench refuses, with exit code 2,", () => {
  test.each([
    ["--rounds=0", "--rounds must be a whole number above 0."],
    ["--rounds=many", "--rounds must be a whole number above 0."],
    ["--only=turns,speed", 'Unknown part "speed". Known are turns, responses, delegate'],
    ["--quick", 'Unknown option "--quick". Known are --rounds=N'],
    ["--peers=nobody", 'Unknown peer "nobody". Known are ai-sdk, deepagents'],
  ])("%s: %s", (word, message) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(bench, "run.mjs"), word], {
      encoding: "utf8",
    })
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(message),
    })
  })
})

test("nothing of the bench is imported from outside of the repository", () => {
  const files = readdirSync(bench, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".mjs"),
  )
  const outside = files.flatMap((file) =>
    [...readFileSync(path.join(bench, file), "utf8").matchAll(/(?:from|import\(|URL\() ?"(\.[^"]*)"/g)]
      .map(([, to]) => path.resolve(path.dirname(path.join(bench, file)), to!))
      .filter((to) => path.relative(path.dirname(bench), to).startsWith("..")),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(outside).toEqual([])
})

test("every peer is pinned to exact versions and says its mode", () => {
  const peers = readdirSync(path.join(bench, "peers"))
  for (const peer of peers) {
    const folder = path.join(bench, "peers", peer)
    const { dependencies } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>
    }
    const loose = Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))
    const adapter = readFileSync(path.join(folder, "adapter.mjs"), "utf8")
    expect({ peer, loose, mode: /^export const mode = "(json|sse)"$/m.test(adapter) }).toEqual({
      peer,
      loose: [],
      mode: true,
    })
  }
  expect(peers).toEqual(["ai-sdk", "deepagents", "langchain", "mastra", "openai-agents", "pi", "voltagent"])
})
