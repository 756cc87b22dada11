import { execSync as runSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { Postcondition } from "../../src/agent/postcondition.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { orderedLog } from "../cases/support.ts"
import { storeWith } from "../crash/store-with.ts"
import { expectSound, stateOf, tool, world } from "../kit.ts"
import { found, inRoot, put, runtimeOf, write } from "./postconditions-kit.ts"

describe("what holds", () => {
  test.each<[string, Postcondition, () => void]>([
    ["a file that is there", { file: "a.md" }, () => put("a.md")],
    ["a file in a folder", { file: "in/a.md" }, () => (fs.mkdirSync(inRoot("in")), put("in/a.md"))],
    [
      "a file with the text in it",
      { file: "a.md", contains: "two\nthree" },
      () => put("a.md", "one\ntwo\nthree"),
    ],
    [
      "a file behind a link that stays in the workspace",
      { file: "b.md" },
      () => (put("a.md"), fs.symlinkSync("a.md", inRoot("b.md"))),
    ],
    ["a command that passes", { command: "test -f a.md" }, () => put("a.md")],
    ["JSON in a file that fits", { schema: { type: "array" }, file: "a.json" }, () => put("a.json", "[1]")],
    ["what the run says, as JSON", { schema: { type: "object", required: ["n"] } }, () => {}],
  ])("%s", async (_, condition, prepare) => {
    prepare()
    const { run, store } = runtimeOf([condition], { script: { a: [{ text: '{"n":1}' }] } })
    const handle = run()
    expect(found(await handle.done)).toEqual({ outcome: "completed", found: ["holds"] })
    await expectSound(store, handle.id)
  })

  test("a file and a command leave evidence, and what the model was told stays as it was", async () => {
    put("a.md", "x")
    const { run, store } = runtimeOf([{ file: "a.md" }, { command: "true" }])
    const handle = run()
    const result = await handle.done
    expect(result.postconditions).toEqual([
      {
        condition: { file: "a.md" },
        holds: true,
        evidence: {
          read: [
            {
              path: inRoot("a.md"),
              hash: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
            },
          ],
        },
      },
      {
        condition: { command: "true" },
        holds: true,
        evidence: { files: [], commands: [{ command: "true", exitCode: 0 }] },
      },
    ])
    expect(result.proof.evidence).toEqual({ calls: {}, files: [], commands: [], unknown: [] })
    expect((await stateOf(store, handle.id)).messages.length).toBe(2)
  })
})

describe("what does not hold", () => {
  const outside = () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-outside-"))
    fs.writeFileSync(path.join(folder, "a.md"), "x")
    return path.join(folder, "a.md")
  }

  test.each<[string, (place: string) => Postcondition, (place: string) => void, RegExp]>([
    ["a file that is not there", () => ({ file: "a.md" }), () => {}, /no such file/],
    [
      "a file without the text",
      () => ({ file: "a.md", contains: "y" }),
      () => put("a.md"),
      /does not contain the text/,
    ],
    ["a folder", () => ({ file: "in" }), () => fs.mkdirSync(inRoot("in")), /is a folder/],
    [
      "a pipe",
      () => ({ file: "p", contains: "x" }),
      () => void runSync(`mkfifo ${inRoot("p")}`),
      /is a pipe/,
    ],
    ["a path that leads out", () => ({ file: "../a.md" }), () => {}, /leads out of the workspace/],
    ["an absolute path outside", (place) => ({ file: place }), () => {}, /leads out of the workspace/],
    [
      "a link that leads out",
      () => ({ file: "b.md" }),
      (place) => fs.symlinkSync(place, inRoot("b.md")),
      /leads out of the workspace/,
    ],
    [
      "a link to nothing",
      () => ({ file: "b.md" }),
      () => fs.symlinkSync("c.md", inRoot("b.md")),
      /link to something that/,
    ],
    ["a command that fails", () => ({ command: "echo why; exit 3" }), () => {}, /why\n\[Exit code 3/],
    [
      "a command that takes too long",
      () => ({ command: "sleep 30", timeout: 300 }),
      () => {},
      /longer than 300 ms/,
    ],
    [
      "a command that writes where nothing may be written",
      () => ({ command: "echo x > .git/hooks/pre-commit" }),
      () => fs.mkdirSync(inRoot(".git/hooks"), { recursive: true }),
      /Not run: /,
    ],
    [
      "JSON in a file that does not fit",
      () => ({ schema: { type: "array" }, file: "a.json" }),
      () => put("a.json", "{}"),
      /Expected "array"/,
    ],
    [
      "a file that is no JSON",
      () => ({ schema: {}, file: "a.json" }),
      () => put("a.json", "{"),
      /a\.json is not JSON/,
    ],
    [
      "what the run says, as it is no JSON",
      () => ({ schema: { type: "object" } }),
      () => {},
      /the final answer is not JSON/,
    ],
  ])("%s: told once, then the run has failed", async (_, condition, prepare, problem) => {
    const place = outside()
    prepare(place)
    const { run, store } = runtimeOf([condition(place)])
    const handle = run()
    const result = await handle.done
    expect(found(result)).toEqual({ outcome: "failed", found: [expect.stringMatching(problem)] })
    expect(result.outcome).toMatchObject({ reason: expect.stringMatching(problem) })
    expect(result.output).toBe("done again")
    const log = await orderedLog(store, handle.id)
    expect(log.filter(({ type }) => type === "check-start").length).toBe(2)
    await expectSound(store, handle.id)
    fs.rmSync(path.dirname(place), { recursive: true })
  })

  test("what is mended after it was told completes the run, and the model was told what was wrong", async () => {
    const { run, store } = runtimeOf([{ file: "a.md" }, { command: "test -f a.md" }], {
      script: { a: [{ text: "done" }, { calls: [write("a.md", "x")] }, { text: "done now" }] },
    })
    const handle = run()
    const result = await handle.done
    expect(found(result)).toEqual({ outcome: "completed", found: ["holds", "holds"] })
    expect(result.output).toBe("done now")
    const told = [...(await stateOf(store, handle.id)).messages][2]
    expect(told).toMatchObject({
      role: "user",
      text: expect.stringMatching(
        /- that the file a\.md exists: .*\n- that the command `test -f a\.md` passes: /,
      ),
    })
  })

  test("a value that is handed in is checked, and the one of the repair counts", async () => {
    const submit = (n: number) => ({ calls: [{ tool: "submit_result", input: { n } }] })
    const { run } = runtimeOf([{ schema: { type: "object", properties: { n: { minimum: 5 } } } }], {
      agent: { result: { type: "object", properties: { n: { type: "integer" } } } },
      script: { a: [submit(1), submit(7)] },
    })
    expect(await run().done).toMatchObject({
      outcome: { type: "completed" },
      value: { n: 7 },
      output: '{"n":7}',
    })
  })
})

describe("a check that is stopped", () => {
  test("by a cancel ends with the run, and says what was not looked at", async () => {
    const { run, runtime, store } = runtimeOf([{ command: "touch started; sleep 30" }, { file: "a" }])
    const handle = run()
    while (!fs.existsSync(inRoot("started"))) await new Promise((resolve) => setTimeout(resolve, 20))
    await runtime.cancel(handle.id, "enough")
    const result = await handle.done
    expect(found(result)).toEqual({
      outcome: "cancelled",
      found: [expect.stringMatching(/stopping/), expect.stringMatching(/stopping/)],
    })
    await expectSound(store, handle.id)
  })

  test("by the run's own time ends as timed out", async () => {
    const { run } = runtimeOf([{ command: "sleep 30" }], { options: { limits: { timeout: 700 } } })
    expect((await run().done).outcome).toEqual({ type: "timed-out", clock: "timeout" })
  })

  test("by a checker that throws counts as not holding", async () => {
    const { run } = runtimeOf([{ file: "a" }], {
      options: {
        checkPostcondition: async () => {
          throw new Error("broken checker")
        },
      },
    })
    expect(found(await run().done)).toEqual({
      outcome: "failed",
      found: ["it could not be checked: broken checker"],
    })
  })

  test("by the death of its process is made again, wherever the cut falls", async () => {
    const counted = { command: "echo x >> runs; test -f a.md" }
    const script: ModelScript = {
      a: [{ text: "done" }, { calls: [{ tool: "make" }] }, { text: "done now" }],
    }
    const make = tool("make", () => (put("a.md"), "made"))
    const parts = { script, tools: [make] }
    const whole = runtimeOf([counted, { file: "a.md" }], parts)
    const handle = whole.run()
    expect(found(await handle.done)).toEqual({ outcome: "completed", found: ["holds", "holds"] })
    const log = await orderedLog(whole.store, handle.id)
    expect(log.map(({ type }) => type).filter((type) => type.startsWith("check"))).toEqual([
      "check-start",
      "check-end",
      "check-start",
      "check-end",
    ])
    for (let length = 1; length < log.length; length++) {
      fs.rmSync(inRoot("a.md"), { force: true })
      fs.rmSync(inRoot("runs"), { force: true })
      const made = log.slice(0, length).some(({ type }) => type === "tool-end")
      if (made) put("a.md")
      const store = await storeWith(log.slice(0, length), whole.store)
      const resumed = runtimeOf([counted, { file: "a.md" }], { ...parts, options: { store } })
      const result = await resumed.runtime.resume(handle.id).done
      expect({ length, ...found(result) }).toEqual({
        length,
        outcome: "completed",
        found: ["holds", "holds"],
      })
      await expectSound(store, handle.id)
      const checks = log.slice(0, length).filter(({ type }) => type === "check-end").length
      const runs = fs.existsSync(inRoot("runs")) ? fs.readFileSync(inRoot("runs"), "utf8").length / 2 : 0
      expect({ length, runs }).toEqual({ length, runs: 2 - checks })
    }
  })

  test("is not taken as passed by a runtime that cannot check", async () => {
    const whole = runtimeOf([{ file: "a.md" }])
    const handle = whole.run()
    await handle.done
    const log = await orderedLog(whole.store, handle.id)
    const cut = log.findIndex(({ type }) => type === "check-start")
    const { runtime } = world({
      store: await storeWith(log.slice(0, cut), whole.store),
      script: { a: [{ text: "done" }] },
      agents: [{ name: "a", instructions: "x" }],
    })
    expect(found(await runtime.resume(handle.id).done)).toEqual({
      outcome: "failed",
      found: ["refused: this runtime cannot check postconditions"],
    })
  })
})
