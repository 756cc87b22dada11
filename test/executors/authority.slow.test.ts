import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { ExecutorSettings } from "../../src/agent/executor.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { RunOptions } from "../../src/run/face/runtime.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { temporaryFolder } from "../file-kit.ts"
import { temporaryRepository } from "../git-kit.ts"
import { results, stateOf } from "../kit.ts"
import { sandboxMissing } from "../sandbox/kit.ts"
import { by, executing } from "./kit.ts"

const hand = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "Go." } }] })

/** A lead that hands its task to the agent `once`, which is run by a program. */
const leading = (lead: Partial<AgentInput>, more: Parameters<typeof executing>[2] = {}) =>
  executing({ once: {} }, [{ name: "lead", instructions: "Lead.", ...lead }, by("once")], {
    script: { lead: [hand("once"), { text: "done" }] },
    ...more,
  })

const ran = (folder: string): number =>
  fs.existsSync(path.join(folder, "ran.txt"))
    ? fs.readFileSync(path.join(folder, "ran.txt"), "utf8").trim().split("\n").length
    : 0

describe("rules speak of it as Executor(NAME)", () => {
  test.each(["Executor", "Executor(once)", "Executor(o*)", "*"])(
    "%s denied: it does not run",
    async (tool) => {
      const { run, folder } = executing({ once: {} }, undefined, { rules: [{ tool, decision: "deny" }] })
      await expect(run("once")).rejects.toMatchObject({
        code: "EXECUTOR_DENIED",
        message: `Agent "once" was not started: the executor once runs it, and Executor(once) is not to be had: it is denied by the rules of the configuration. Take \`${tool}\` out there to give it back.`,
      })
      expect(ran(folder)).toBe(0)
    },
  )

  test("a rule about another says nothing of it", async () => {
    const rules = [{ tool: "Executor(other)", decision: "deny" as const }]
    const { run } = executing({ once: {} }, undefined, { rules })
    expect(await run("once")).toEqual({ outcome: { type: "completed" }, output: "ran" })
  })

  test.each([
    ["default", "resting"],
    ["accept-edits", "resting"],
    ["bypass", "completed"],
  ] as const)("in the mode %s it is %s", async (type, expected) => {
    const { start, folder } = executing({ once: {} }, undefined, { mode: { type, root: "/" } })
    const { status, outcome } = await start("once", "Go.").done
    expect(status === "resting" ? status : outcome?.type).toBe(expected)
    expect(ran(folder)).toBe(expected === "completed" ? 1 : 0)
  })

  test.each([[[]], [[{ tool: "Executor(once)", decision: "allow" as const }]]])(
    "in the mode plan it does not start, whatever rules allow: %j",
    async (rules) => {
      const { run, folder } = executing({ once: {} }, undefined, { mode: { type: "plan", root: "/" }, rules })
      await expect(run("once")).rejects.toThrow(
        "Executor(once) is not to be had: in plan mode nothing may change. Start it in another mode.",
      )
      expect(ran(folder)).toBe(0)
    },
  )

  test("asked about, it rests with the command before the prompt, and runs once it is allowed", async () => {
    const { start, runtime, folder } = executing({ once: {} }, undefined, {
      rules: [{ tool: "Executor", decision: "ask" }],
    })
    const handle = start("once", "Go.")
    const { status, approvals } = await handle.done
    expect(status).toBe("resting")
    expect(approvals).toMatchObject([{ call: "c1", tool: "Executor" }])
    expect(Object.keys(JSON.parse(approvals[0]!.arguments))).toEqual([
      "executor",
      "command",
      "wants",
      "prompt",
    ])
    await runtime.approve(handle.id, "c1", "allow")
    expect((await runtime.resume(handle.id).done).output).toBe("ran")
    expect(ran(folder)).toBe(1)
  })

  test("what was asked about is what runs: with another command since, nothing does", async () => {
    const first = executing({ once: {} }, undefined, { rules: [{ tool: "Executor", decision: "ask" }] })
    const handle = first.start("once", "Go.")
    await handle.done
    await first.runtime.approve(handle.id, "c1", "allow")
    const later = executing({ once: { words: ["echo"] } }, undefined, { store: first.store })
    expect((await later.runtime.resume(handle.id).done).outcome).toEqual({
      type: "failed",
      reason:
        "Not run: what the executor once is given (command) is not what this run was planned with. Start the run anew.",
    })
    expect(ran(first.folder)).toBe(0)
  })
})

test("what narrows the agent must still reach the program when its run goes on", async () => {
  const first = executing(
    { arguments: { options: { tools: ["--tools", "{}"] } } },
    [by("arguments", { tools: ["Read"] })],
    {
      rules: [{ tool: "Executor", decision: "ask" }],
    },
  )
  const handle = first.start("arguments", "Go.")
  await handle.done
  await first.runtime.approve(handle.id, "c1", "allow")
  const command = [process.execPath, path.join(first.folder, "stand-in.mjs"), "arguments"]
  const later = executing({ arguments: { command } }, [], { store: first.store })
  expect((await later.runtime.resume(handle.id).done).outcome).toEqual({
    type: "failed",
    reason:
      "Not run: Agent \"arguments\" was not started: the executor arguments runs it, and cannot be told that it may use nothing but Read, as its `tools` say. Give the executor words that limit it to a list, such as `options: {tools: [--tools, '{}']}`.",
  })
})

describe("children only narrow", () => {
  const refused = (why: string) =>
    `Cannot spawn 'once': Agent "once" was not started: the executor once runs it, and ${why}`
  const unhanded = (caller: string) =>
    refused(
      `agent "${caller}", which calls it, has no Executor to hand on. Let it, with \`delegates: Executor(once)\`.`,
    )

  test("whoever has all tools may start one, and is not offered it", async () => {
    const { start, store, folder } = leading({})
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual(["ran"])
    const { start: begun } = await stateOf(store, handle.id)
    expect(begun!.tools).not.toContain("Executor")
    expect(begun!.delegates).toEqual(["Executor"])
    expect(ran(folder)).toBe(1)
  })

  test("whoever has a list without it may not", async () => {
    const { start, store, folder } = leading({ tools: ["Agent"] })
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual([unhanded("lead")])
    expect(ran(folder)).toBe(0)
  })

  test.each([
    ["delegates: Executor", { delegates: ["Executor"] }, "ran"],
    ["delegates: Executor(once)", { delegates: ["Executor(once)"] }, "ran"],
    [
      "delegates: Executor(other)",
      { delegates: ["Executor(other)"] },
      refused(
        'Executor(once) is not to be had: it is not allowed by what agent "lead" may hand on. Allow Executor(once) there.',
      ),
    ],
    ["tools: Executor(once)", { tools: ["Agent", "Executor(once)"] }, "ran"],
    [
      "tools: Executor(other)",
      { tools: ["Agent", "Executor(other)"] },
      refused(
        'Executor(once) is not to be had: it is not allowed by the tools of agent "lead". Allow Executor(once) there.',
      ),
    ],
    [
      "disallowedTools: Executor",
      { tools: ["Agent"], delegates: ["Executor"], disallowedTools: ["Executor"] },
      refused(
        'Executor is not to be had: it is denied by the rules of agent "lead". Take `Executor` out there to give it back.',
      ),
    ],
  ])("with %s", async (_, lead: Partial<AgentInput>, expected) => {
    const { start, store } = leading({ tools: ["Agent"], ...lead })
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual([expected])
  })

  test("rules about other programs, about runs here, and such as allow, bind no program", async () => {
    const { start, store } = leading({
      disallowedTools: ["AgentStatus"],
      workflow: { steps: [{ name: "only" }] },
      rules: [
        { tool: "Executor(other)", decision: "deny" },
        { tool: "AgentWait", decision: "ask" },
        { tool: "AgentSend", decision: "allow" },
      ],
    })
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual(["ran"])
  })

  test("nor does it pass through whoever has it not", async () => {
    const { start, store, folder } = executing(
      { once: {} },
      [
        { name: "lead", instructions: "Lead." },
        { name: "middle", instructions: "Pass on.", tools: ["Agent"] },
        by("once"),
      ],
      { script: { lead: [hand("middle"), { text: "done" }], middle: [hand("once"), { text: "none" }] } },
    )
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, `${handle.id}.1`)).toEqual([unhanded("middle")])
    expect(ran(folder)).toBe(0)
  })

  test("a call that takes tools away takes it away", async () => {
    const { run } = executing({ once: {} })
    await expect(run("once", "Go.", { tools: ["Agent"] })).rejects.toMatchObject({ code: "EXECUTOR_DENIED" })
    expect(await run("once", "Go.", { tools: ["Executor"] })).toMatchObject({ output: "ran" })
  })

  test("a model that calls it all the same is refused", async () => {
    const { start, store, folder } = executing({ once: {} }, [{ name: "lead", instructions: "Lead." }], {
      script: {
        lead: [
          {
            calls: [
              { tool: "Executor", input: { executor: "once", command: [], wants: "text", prompt: "x" } },
            ],
          },
          { text: "done" },
        ],
      },
    })
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual([
      "Not permitted: Executor is not to be had: no model calls it, because it starts the program of an agent that has an `executor`. Go on without it.",
    ])
    expect(ran(folder)).toBe(0)
  })

  test("a definition in the mode plan starts none", async () => {
    const { run } = executing({ once: {} }, [by("once", { permissionMode: "plan" })])
    await expect(run("once")).rejects.toThrow(
      'Executor(once) is not to be had: agent "once" is in plan mode, in which nothing may change, also below it. Take `permissionMode: plan` out there to give it back.',
    )
  })
})

describe("what would not hold does not start", () => {
  test.each<[string, Partial<AgentInput>, Partial<ExecutorSettings>, RunOptions, string, string]>([
    [
      "an executor that nobody configured",
      { executor: "onse" },
      {},
      {},
      "EXECUTOR_UNKNOWN",
      'Agent "once" is run by the executor "onse", which is not configured. Did you mean "once"? Known: once. Name its command below `executors:` in your config.yaml.',
    ],
    [
      "a list of tools",
      { tools: ["Read"] },
      {},
      {},
      "EXECUTOR_DENIED",
      "Agent \"once\" was not started: the executor once runs it, and cannot be told that it may use nothing but Read, as its `tools` say. Give the executor words that limit it to a list, such as `options: {tools: [--tools, '{}']}`.",
    ],
    [
      "a list of tools, with words for it that are none",
      { tools: ["Read"] },
      { options: { tools: undefined } as never },
      {},
      "EXECUTOR_DENIED",
      "Agent \"once\" was not started: the executor once runs it, and cannot be told that it may use nothing but Read, as its `tools` say. Give the executor words that limit it to a list, such as `options: {tools: [--tools, '{}']}`.",
    ],
    [
      "tools that are taken away, and rules",
      { disallowedTools: ["Bash"], rules: [{ tool: "Agent", decision: "ask" }] },
      {},
      {},
      "EXECUTOR_DENIED",
      'Agent "once" was not started: the executor once runs it, and cannot be told that agent "once" denies Bash; nor that agent "once" asks about Agent. Give the executor words that take tools away, such as `options: {disallowedTools: [--disallowedTools, \'{}\']}`, or give the agent a list of `tools`.',
    ],
    [
      "steps of a workflow",
      { workflow: { steps: [{ name: "work" }] } },
      {},
      {},
      "EXECUTOR_DENIED",
      'Agent "once" was not started: the executor once runs it, and cannot be told of its `workflow`. Take it out.',
    ],
    [
      "its caller's history",
      { context: "fork" },
      {},
      {},
      "AGENT_INVALID",
      'Agent "once" starts from what its caller has read and written, which the executor once cannot be given. Take `context: fork` out.',
    ],
    [
      "a model that the call chooses",
      {},
      {},
      { model: "sonnet" },
      "MODEL_DENIED",
      'Agent "once" was to run on "sonnet", but the executor once chooses its model itself. Leave it out, or give the executor `options: {model: …}`.',
    ],
  ])("%s", async (_, agent, settings, options, code, message) => {
    const { run, folder } = executing({ once: settings }, [by("once", agent)])
    await expect(run("once", "Go.", options)).rejects.toMatchObject({ code, message })
    expect(ran(folder)).toBe(0)
  })

  test("an ended run that is to be continued", async () => {
    const { run, start } = executing({ once: {} })
    const { run: id } = await start("once", "Go.").done
    await expect(run("once", "More.", { continues: id })).rejects.toMatchObject({
      code: "AGENT_INVALID",
      message: `Agent "once" cannot continue run ${id}: it is a command and has no history to go on with. Start it anew.`,
    })
  })

  test("what only changes how it works is a warning", async () => {
    const { start } = executing({ once: {} }, [
      by("once", {
        model: "opus",
        effort: "high",
        limits: { maxTurns: 3, idleTimeout: 5_000, timeout: 60_000 },
      }),
    ])
    const { proof } = await start("once", "Go.").done
    expect(proof.warnings).toEqual([
      'The executor once runs agent "once" and does not hear of its `model`, `effort`, `limits.idleTimeout`, `limits.maxTurns`.',
    ])
    expect(proof.model).toEqual({
      requested: "opus",
      source: "definition",
      resolved: "executor:once",
      reported: [],
    })
    expect(proof.evidence.commands).toEqual([
      {
        command: expect.stringMatching(/stand-in\.mjs once \(without a sandbox: it was switched off\)$/),
        exitCode: 0,
      },
    ])
  })
})

test("programs that code names are looked at when the runtime is made", () => {
  expect(() =>
    createRuntime({
      store: memoryStore(),
      executors: {
        none: { command: [] },
        "a b": { command: ["x"] },
        file: { command: ["x"], prompt: "file" },
      },
    }),
  ).toThrow(
    'The configuration is wrong: the executor "none" names no program: `command` begins with one; the executor "a b" is no name for an executor; the executor "file" is given its prompt as a file, but `{prompt_file}` is in none of its arguments: put it there.',
  )
})

test("no default model is needed, and nothing is asked of one", async () => {
  const { run } = executing({ once: {} }, undefined, { models: {} })
  expect(await run("once")).toEqual({ outcome: { type: "completed" }, output: "ran" })
})

test("what must hold at the end is looked at, and nobody is asked to mend it", async () => {
  const { run } = executing({ once: {} }, [by("once", { postconditions: [{ file: "missing.txt" }] })])
  expect((await run("once")).outcome).toMatchObject({
    type: "failed",
    reason: expect.stringContaining("missing.txt"),
  })
  const held = executing({ once: {} }, [by("once", { postconditions: [{ file: "ran.txt" }] })])
  expect((await held.run("once")).outcome).toEqual({ type: "completed" })
})

test.each(sandboxMissing === undefined ? (["required", "off"] as const) : (["off"] as const))(
  "in a worktree of its own it changes that alone, with the sandbox %s",
  async (sandbox) => {
    const { top, worktrees } = temporaryRepository({ "a.txt": "a\n" })
    const script = temporaryFolder({
      "stand-in.mjs": fs.readFileSync(path.join(import.meta.dirname, "stand-in.mjs")),
    })
    const command = [process.execPath, path.join(script, "stand-in.mjs"), "write", "a.txt"]
    const { runtime } = executing(
      { write: { command, sandbox, visible: [script] } },
      [by("write", { isolation: "worktree" })],
      { worktrees },
    )
    const { outcome, isolation } = await runtime.run("write", "Go.", { cwd: top }).done
    expect({ outcome, files: isolation!.files }).toEqual({
      outcome: { type: "completed" },
      files: [{ path: "a.txt", status: "modified" }],
    })
    expect(fs.readFileSync(path.join(top, "a.txt"), "utf8")).toBe("a\n")
  },
)

test("hooks see the call, and can block it or tell it something else", async () => {
  const { run, folder } = executing({ echo: {} }, undefined, {
    hooks: [
      {
        name: "guard",
        judge: async ({ tool, input }) => {
          expect(tool).toBe("Executor")
          if (String(input.prompt).includes("secret")) return { type: "block", reason: "no secrets" }
          return { type: "rewrite", arguments: JSON.stringify({ ...input, prompt: "Something else." }) }
        },
      },
    ],
  })
  expect((await run("echo", "Go.")).output).toBe("Something else.")
  expect((await run("echo", "A secret.")).outcome).toEqual({
    type: "denied",
    reason: expect.stringContaining("no secrets"),
  })
  expect(ran(folder)).toBe(0)
})

test("a message to a run that a program does is refused: nobody would read it", async () => {
  const { start, runtime, folder } = executing({ hang: {} })
  const handle = start("hang", "Go.")
  await expect.poll(() => ran(folder)).toBe(1)
  await expect(runtime.send(handle.id, "Hurry.")).rejects.toMatchObject({
    code: "MESSAGE_REFUSED",
    message: `No model drives run ${handle.id}, which is a command, so nobody would read a message.`,
  })
  await handle.cancel("enough")
  expect((await handle.done).proof.undelivered).toEqual([])
})
