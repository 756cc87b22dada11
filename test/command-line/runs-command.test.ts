import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { dispatch } from "../../src/faces/cli/dispatch.ts"
import { displayWidth } from "../../src/ground/diagnostics/display-width.ts"
import { createRunId } from "../../src/run/log/id.ts"
import { isRefusal } from "../../src/run/log/store.ts"
import { runStart } from "../run-start.ts"

import { cadre, day, environment, idsOf, json, made, now, state, store } from "./runs-kit.ts"

test("runs takes a limit, a time, a status and an agent", async () => {
  const runs = [await made(9), await made(5, { agent: "other" }), await made(2), await made(1, {}, "open")]
  const cases: readonly [readonly string[], readonly number[]][] = [
    [[], [3, 2, 1, 0]],
    [
      ["--limit", "2"],
      [3, 2],
    ],
    [
      ["--since", "6d"],
      [3, 2, 1],
    ],
    [
      ["--since", "2026-11-16"],
      [3, 2],
    ],
    [["--status", "open"], [3]],
    [["--status", "ended", "--limit", "1"], [2]],
    [
      ["--status", "completed", "--agent", "worker"],
      [2, 0],
    ],
    [["--status", "failed"], []],
    [["--all", "--agent", "other"], [1]],
  ]
  for (const [words, expected] of cases)
    expect([words, idsOf((await json(...words)).runs)]).toEqual([words, expected.map((index) => runs[index])])
  for (const wrong of [
    ["--limit", "0"],
    ["--limit", "x"],
    ["--since", "soon"],
    ["--since", "2026-11-16 or so"],
    ["--since", "2026-11-16junk"],
    ["--keep", "3"],
    ["x"],
    ["prune"],
  ])
    expect([wrong, (await cadre("runs", ...wrong)).code]).toEqual([wrong, 2])
})

test("a row says task, model, time and cost, and what is unknown is unknown", async () => {
  const run = await made(1, { task: "Mend the tests\nnow" })
  expect((await json()).runs[0]).toMatchObject({
    task: "Mend the tests",
    model: "anthropic:claude-sonnet-4-5",
    durationMs: 65_000,
    tokens: 15,
    cost: 0.5,
    own: { tokens: 15, cost: 0.5 },
  })
  expect((await cadre("runs")).stdout).toMatch(
    new RegExp(
      `^${run}  worker  completed  \\S+Z  1m5s  \\$0\\.5000  anthropic:claude-sonnet-4-5  Mend the tests$`,
      "m",
    ),
  )
})

test.each([80, 100, 200])(
  "on a terminal of %s columns no row is wider, and the ids that it shows are taken",
  async (columns) => {
    const task = "修理所有的测试 and then tell in many words what was wrong with each of them, and why"
    for (let index = 0; index < 3; index++) await made(index, { agent: "a-long-name-of-an-agent", task })
    const last = await made(0.5, { task }, "open")
    let stdout = ""
    const surroundings = {
      directory: state,
      environment: environment(),
      stderr: { write: () => {} },
      stdout: { write: (text: string) => (stdout += text) },
      isTerminal: true,
      columns,
    }
    await dispatch(["runs"], surroundings)
    const lines = stdout.trimEnd().split("\n")
    expect(lines).toHaveLength(5)
    expect(lines.map(displayWidth).filter((width) => width > columns)).toEqual([])
    const short = lines.find((line) => line.includes(" open "))!.split(" ")[0]!
    expect(last.startsWith(short)).toBe(true)
    expect((await cadre("runs", "remove", short)).stderr).toContain(`Kept ${last}: it is open.`)
  },
)

test("`last` and the beginning of an id name a run, and an ambiguous one is refused", async () => {
  const [run, last] = [await made(2), await made(1)]
  expect((await cadre("runs", "remove", "last")).stdout).toBe(`Removed ${last}.\n`)
  const twin = `${run.slice(0, 25)}${run.endsWith("0") ? "1" : "0"}`
  await store.create({ run: twin, seq: 0, at: 1, v: 2, ...runStart } as never)
  expect((await cadre("log", run.slice(0, 12))).stderr).toContain("matches 2 runs")
  expect((await cadre("runs", "remove", run)).stdout).toBe(`Removed ${run}.\n`)
  expect((await cadre("runs", "remove", twin.slice(0, 12))).stderr).toContain(`Kept ${twin}: it is open.`)
})

test("`last:AGENT` is the newest run of an agent, and an unknown agent is told the known ones", async () => {
  const [first] = [await made(3, { agent: "other" }), await made(2), await made(1)]
  expect((await cadre("log", "last:other", "--json")).stdout).toContain(`"run":"${first}"`)
  expect(await cadre("log", "last:othr")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/"othr".*other/s),
  })
})

test("the ids that a shell offers are the newest ones, after `last`", async () => {
  const [old, young] = [await made(2), await made(1)]
  expect((await cadre("runs", "--ids")).stdout).toBe(`last\n${young}\n${old}\n`)
})

test("prune removes what is old, and says what it kept and why", async () => {
  const [young, old, older] = [await made(3), await made(40), await made(50)]
  const continued = await made(60)
  const between = await made(55, { continues: continued })
  const going = await made(1, { continues: between }, "open")
  const open = await made(70, {}, "open")
  const cached = await made(45)
  fs.mkdirSync(path.join(state, "cache"), { recursive: true })
  const key = "a".repeat(64)
  const result = { run: cached, at: Date.now(), output: "x" }
  fs.writeFileSync(path.join(state, "cache", `${key}.json`), JSON.stringify({ key, result }))
  const changed = await made(46)
  const place = path.join(state, "worktrees", "repository-hash")
  fs.mkdirSync(path.join(place, `${changed}.1`), { recursive: true })
  fs.writeFileSync(path.join(place, "repository"), state)
  const expected = {
    removed: [old, older],
    kept: [
      [cached, expect.stringMatching(/recorded.*cache/)],
      [changed, `its worktree ${path.join(place, `${changed}.1`)} still exists`],
      [between, `run ${going}, which stays, continues it`],
      [continued, `run ${between}, which stays, continues it`],
      [open, "it is open"],
    ],
  }
  const told = ({
    removed,
    kept,
  }: {
    removed: { id: string }[]
    kept: { id: string; reason: string }[]
  }) => ({
    removed: idsOf(removed),
    kept: kept.map(({ id, reason }) => [id, reason]),
  })
  expect(told(await json("prune", "--older-than", "30d", "--dry-run"))).toEqual(expected)
  expect(idsOf((await json()).runs)).toHaveLength(9)
  expect(told(await json("prune", "--older-than", "30d"))).toEqual(expected)
  expect(new Set(idsOf((await json()).runs))).toEqual(
    new Set([young, continued, between, going, open, cached, changed]),
  )
  expect((await cadre("runs", "prune", "--keep", "0")).stdout).toMatch(new RegExp(`^removed +${young}`, "m"))
})

test("prune keeps so many of the newest, and takes its age from the setting", async () => {
  const runs = [await made(1), await made(2), await made(40), await made(41)]
  expect(idsOf((await json("prune", "--older-than", "30d", "--keep", "3")).removed)).toEqual([runs[3]])
  fs.mkdirSync(path.join(state, "config"))
  fs.writeFileSync(path.join(state, "config", "config.yaml"), "retention: 30d\n")
  expect(idsOf((await json("prune")).removed)).toEqual([runs[2]])
})

test("a run below another, an open one and one that another needs are not removed by name", async () => {
  const base = await made(3)
  const next = await made(2, { continues: base })
  const open = await made(1, {}, "open")
  expect((await cadre("runs", "remove", `${base}.1`)).code).toBe(2)
  expect((await cadre("runs", "remove", createRunId(1))).code).toBe(2)
  expect(await cadre("runs", "remove", open)).toMatchObject({
    code: 1,
    stderr: `Kept ${open}: it is open. \`cadre cancel ${open}\` ends it.\n`,
  })
  expect(await cadre("runs", "remove", base)).toMatchObject({ code: 1 })
  expect(await cadre("runs", "remove", next, base)).toEqual({
    code: 0,
    stdout: `Removed ${next}.\nRemoved ${base}.\n`,
    stderr: "",
  })
  expect(idsOf((await json()).runs)).toEqual([open])
})

test("a tree that somebody holds, or of which a run is open, stays", async () => {
  const held = await made(40)
  const claim = await store.claim(held)
  expect((await json("prune", "--older-than", "30d")).kept).toMatchObject(
    [{ id: held, reason: / is driving it$/ }].map(({ id }) => ({
      id,
      reason: expect.stringMatching(/is driving it$/),
    })),
  )
  await store.create({ run: `${held}.1`, seq: 0, at: now - 40 * day, v: 2, type: "run-start" })
  if (!isRefusal(claim)) await store.release(claim)
  expect((await json("prune", "--older-than", "30d")).kept).toMatchObject([
    { id: held, reason: "1 of its subagents' runs is open" },
  ])
})

test("retention removes old runs when a command ends, once a day, and says so", async () => {
  const { applyRetention } = await import("../../src/faces/cli/stored-runs/retention.ts")
  const [old, young] = [await made(40), await made(2)]
  const told: string[] = []
  const after = (days: number) => ({
    environment: environment(),
    stderr: { write: (text: string) => told.push(text) },
    now: () => now + days * day,
  })
  await applyRetention(undefined, after(0))
  expect(idsOf((await json()).runs)).toEqual([young, old])
  await applyRetention("30d", after(0))
  expect(idsOf((await json()).runs)).toEqual([young])
  expect(told).toEqual([expect.stringMatching(/^Removed 1 run.*30d.*retention.*30d`/s)])
  await applyRetention("1d", after(0.5))
  expect(idsOf((await json()).runs)).toEqual([young])
  await applyRetention("1d", after(1.5))
  expect(idsOf((await json()).runs)).toEqual([])
})

test("a project cannot say how long runs are kept", async () => {
  fs.mkdirSync(path.join(state, "work", ".cadre"), { recursive: true })
  fs.mkdirSync(path.join(state, "work", ".git"), { recursive: true })
  fs.writeFileSync(path.join(state, "work", ".cadre", "config.yaml"), "retention: 1h\n")
  const { readConfiguration } = await import("../../src/definitions/configuration/configuration.ts")
  const read = readConfiguration({ cwd: path.join(state, "work"), home: state, environment: environment() })
  expect(read.configuration.retention).toBeUndefined()
  expect(read.diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/`retention: 1h`.*decide/),
  ])
})
