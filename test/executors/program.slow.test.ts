import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { ExecutorSettings } from "../../src/agent/executor.ts"
import { createExecutorTools } from "../../src/world/executors/tool.ts"
import { temporaryFolder, testRun } from "../file-kit.ts"
import { naming } from "../naming.ts"
import { sandboxMissing } from "../sandbox/kit.ts"
import { by, executing, leftBy } from "./kit.ts"

const completed = { type: "completed" }

describe("the prompt", () => {
  test("is what a model would have got: instructions, then the task", async () => {
    const { run } = executing({ echo: {} })
    expect(await run("echo", "Say hello.")).toEqual({ outcome: completed, output: "Be brief.\n\nSay hello." })
  })

  test("holds the task where the instructions want it", async () => {
    const { run } = executing({ echo: {} }, [by("echo", { instructions: "Do: {{task}}" })])
    expect((await run("echo", "$& {{task}}")).output).toMatch(
      /^Do: \$& \{\{task\}\}\n\nBegin\. .*instructions\.$/,
    )
  })

  test("as a file, which only its owner can read, and which is gone afterwards", async () => {
    const { run } = executing({ file: { words: ["file", "{prompt_file}"], prompt: "file" } })
    const { output } = await run("file")
    const [, mode, file, text] = /^(\d+) (\S+)\n([\s\S]*)$/.exec(output)!
    expect({ mode, text }).toEqual({ mode: "600", text: "Be brief.\n\nGo." })
    expect(path.dirname(path.dirname(file!))).toBe(os.tmpdir())
    expect(fs.existsSync(path.dirname(file!))).toBe(false)
  })

  test("as an argument, to the letter", async () => {
    const { run } = executing({ arguments: { words: ["arguments", "-p", "{prompt}"], prompt: "argument" } })
    expect(JSON.parse((await run("arguments", "`id` $HOME 'x' {prompt}")).output)).toEqual([
      "-p",
      "Be brief.\n\n`id` $HOME 'x' {prompt}",
    ])
  })

  test.each([
    [["arguments", "{prompt}"], "failed"],
    [["arguments", "--", "{prompt}"], "completed"],
    [["arguments", "--prompt={prompt}"], "completed"],
  ])("in %j, one that begins as an option does is %s", async (words, expected) => {
    const { run } = executing({ arguments: { words, prompt: "argument" } }, [
      by("arguments", { instructions: "{{task}}" }),
    ])
    const { outcome } = await run("arguments", "--settings={}")
    expect(outcome).toEqual({
      type: expected,
      ...(expected === "failed" && {
        reason: expect.stringMatching(/^Not run: the prompt begins with `-`/),
      }),
    })
  })

  test.each([40_000, 1_000_000])(
    "%i characters go by input or file, and never by argument",
    async (length) => {
      const { run } = executing({
        input: { words: ["measure"] },
        file: { words: ["measure", "{prompt_file}"], prompt: "file" },
        argument: { words: ["measure", "{prompt}"], prompt: "argument" },
      })
      const task = "x".repeat(length)
      const output = `${length + "Be brief.\n\n".length} characters, none in its command line`
      expect(await run("input", task)).toEqual({ outcome: completed, output })
      expect(await run("file", task)).toEqual({ outcome: completed, output })
      expect(await run("argument", task)).toEqual({
        outcome: {
          type: "failed",
          reason: naming(
            "Not run: ",
            ` ${length + 11} bytes`,
            "at most 32000",
            "`prompt: stdin`",
            "`prompt: file`",
          ),
        },
        output: "",
      })
    },
  )
})

describe("the answer", () => {
  const json = (text: string, more = {}) => ({ words: ["json", text], result: "json" as const, ...more })

  test.each<[string, Parameters<typeof executing>[0][string], unknown]>([
    ["a text", json('{"result":"done"}', { text: "result" }), { outcome: completed, output: "done" }],
    [
      "deep in the value",
      json('{"a":[{"b":"done"}]}', { text: "a.0.b" }),
      { outcome: completed, output: "done" },
    ],
    ["the value itself", json('{"a": 1}'), { outcome: completed, output: '{"a":1}' }],
    [
      "not there",
      json('{"answer":"x","cost":1}', { text: "result" }),
      {
        outcome: {
          type: "failed",
          reason: naming("executor json", "exit code 0", "has no `result`", "answer, cost"),
        },
        output: '{"answer":"x","cost":1}',
      },
    ],
    [
      "no JSON",
      json("oops", { text: "result" }),
      {
        outcome: {
          type: "failed",
          reason: expect.stringMatching(
            /^The executor json ended with exit code 0\. It must print JSON, .*oops/,
          ),
        },
        output: "oops",
      },
    ],
    [
      "nothing",
      { words: ["nothing"], result: "json" },
      {
        outcome: {
          type: "failed",
          reason: naming("executor json", "exit code 0", "does not parse", "printed nothing"),
        },
        output: "",
      },
    ],
    ["no text", { words: ["nothing"] }, { outcome: { type: "no-output" }, output: "" }],
    [
      "bytes that are no text",
      { words: ["bytes"] },
      { outcome: completed, output: "f\ufffdr \ufffd\ufffd\ufffd!" },
    ],
  ])("is %s", async (_, settings, expected) => {
    const { run } = executing({ json: settings })
    expect(await run("json")).toEqual(expected)
  })

  const verdict = {
    type: "object",
    properties: { good: { type: "boolean" } },
    required: ["good"],
    additionalProperties: false,
  } as const

  test.each<[string, Parameters<typeof executing>[0][string], unknown]>([
    [
      "at its place in the JSON",
      json('{"result":"prose","out":{"good":true}}', { text: "result", value: "out" }),
      { outcome: completed, output: '{"good":true}', value: { good: true } },
    ],
    [
      "as the answer",
      json('{"result":"{\\"good\\":false}"}', { text: "result" }),
      { outcome: completed, output: '{"good":false}', value: { good: false } },
    ],
    [
      "as text",
      { words: ["json", '```json\n{"good": true}\n```'] },
      { outcome: completed, output: '{"good":true}', value: { good: true } },
    ],
    [
      "of another shape",
      json('{"out":{"good":"yes"}}', { value: "out" }),
      {
        outcome: {
          type: "failed",
          reason: expect.stringMatching(/does not fit.*result schema: .*good/),
        },
        output: '{"good":"yes"}',
      },
    ],
    [
      "no JSON",
      { words: ["json", "It is good."] },
      {
        outcome: {
          type: "failed",
          reason: expect.stringMatching(/does not fit.*it is not JSON: /),
        },
        output: "It is good.",
      },
    ],
  ])("is a value where the agent hands one in: %s", async (_, settings, expected) => {
    const { run } = executing({ json: settings }, [by("json", { result: verdict })])
    expect(await run("json")).toEqual(expected)
  })

  test("the schema is told at the end of the prompt, unless the program is handed it", async () => {
    const { runtime, store } = executing(
      {
        told: { words: ["nothing"] },
        handed: { words: ["nothing"], options: { schema: ["--schema", "{}"] } },
      },
      [by("told", { result: verdict }), by("handed", { result: verdict })],
    )
    const inputs = await Promise.all(
      ["told", "handed"].map(async (agent) => {
        const { run } = await runtime.run(agent, "Go.").done
        for await (const event of store.read(run))
          if (event.type === "plan-end") return JSON.parse((event as never as Planned).calls![0]!.arguments)
      }),
    )
    expect(inputs.map(({ schema, prompt }) => ({ schema, prompt }))).toEqual([
      {
        prompt: naming("Be brief.\n\nGo.\n\n", "one JSON value", `\n${JSON.stringify(verdict)}`),
      },
      { schema: verdict, prompt: "Be brief.\n\nGo." },
    ])
  })
})

describe("what its models took", () => {
  const told = { usage: { in: 100, out: 20 }, total_cost_usd: 0.5, result: "done" }
  const ways = { input: "usage.in", output: "usage.out", cost: "total_cost_usd" }
  const settings = (value: unknown, usage?: ExecutorSettings["usage"]) => ({
    words: ["json", JSON.stringify(value)],
    result: "json" as const,
    text: "result",
    ...(usage && { usage }),
  })

  test.each<[string, unknown, ExecutorSettings["usage"], unknown]>([
    ["is what it says", told, ways, { inputTokens: 100, outputTokens: 20, cost: 0.5 }],
    [
      "is told of a failure, too",
      { ...told, result: undefined },
      ways,
      { inputTokens: 100, outputTokens: 20, cost: 0.5 },
    ],
    ["is not known where nobody says where it stands", told, undefined, {}],
    [
      "is no text, nothing below 0 and nothing that is not there",
      { usage: { in: "100", out: -1 }, result: "done" },
      ways,
      {},
    ],
  ])("%s", async (_, value, usage, expected) => {
    const { start } = executing({ json: settings(value, usage) })
    expect((await start("json", "Go.").done).proof.usage.own).toEqual({ "executor:json": expected })
  })

  test("counts for whoever called it, and against the limits of the tree", async () => {
    const hand = { calls: [{ tool: "Agent", input: { agent: "json", prompt: "Go." } }] }
    const { start } = executing(
      { json: settings(told, ways) },
      [{ name: "lead", instructions: "Lead." }, by("json")],
      { script: { lead: [hand, { text: "done" }] } },
    )
    const free = await start("lead", "Go.").done
    expect([free.outcome, free.proof.usage.inclusive["executor:json"]]).toEqual([
      completed,
      { inputTokens: 100, outputTokens: 20, cost: 0.5 },
    ])
    const bound = await start("lead", "Go.", { limits: { maxCost: 0.4 } }).done
    expect(bound.outcome).toEqual({ type: "limit", limit: "cost" })
  })
})

interface Planned {
  readonly calls?: readonly { readonly arguments: string }[]
}

describe("a program that fails", () => {
  test("has the end of its errors for a reason, and what it printed for its output", async () => {
    const { run } = executing({ fail: {} })
    const { outcome, output } = await run("fail")
    expect(output).toBe("half an answer")
    expect(outcome).toEqual({
      type: "failed",
      reason: expect.stringMatching(
        /^The executor fail ended with exit code 3\.\n.*error output:\n….*(\nnoise)+\nthe disk is full$/,
      ),
    })
  })

  test("may have said why in place of an answer", async () => {
    const { run } = executing({ complain: { result: "json", text: "result" } })
    expect(await run("complain")).toEqual({
      outcome: {
        type: "failed",
        reason: naming("complain ended with exit code 1.", "output:\nno credit left"),
      },
      output: '{"result":"no credit left"}',
    })
  })

  test("is not there", async () => {
    const { run } = executing({ gone: { command: ["no-such-agent-program", "-p"] } })
    expect((await run("gone")).outcome).toEqual({
      type: "failed",
      reason: naming("no-such-agent-program was not found", "PATH", "absolute path"),
    })
  })

  test("hands its task on where the agent has a fallback", async () => {
    const { run } = executing(
      { fail: {} },
      [by("fail", { fallback: ["model"] }), { name: "model", instructions: "Work." }],
      {
        script: { model: [{ text: "the model did it" }] },
      },
    )
    expect(await run("fail")).toEqual({ outcome: completed, output: "the model did it" })
  })
})

describe.each(sandboxMissing === undefined ? (["required", "off"] as const) : (["off"] as const))(
  "with the sandbox %s, nothing is left of a program",
  (sandbox) => {
    test.each(["hang", "stubborn"])("that does not end in its own time: %s", async (what) => {
      const { start } = executing({ [what]: { timeout: 2_500, sandbox } })
      const handle = start(what, "Go.")
      const { outcome, output } = await handle.done
      expect({ outcome, output }).toEqual({
        outcome: { type: "failed", reason: `The executor ${what} took longer than 2500 ms and was killed.` },
        output: "so far",
      })
      expect(leftBy(handle.id)).toEqual([])
    })

    test.each(["hang", "stubborn"])("whose run's time is over: %s", async (what) => {
      const { start } = executing({ [what]: { sandbox } }, [by(what, { limits: { timeout: 3_000 } })])
      const handle = start(what, "Go.")
      const { outcome, output } = await handle.done
      expect({ outcome, output }).toEqual({
        outcome: { type: "timed-out", clock: "timeout" },
        output: "so far",
      })
      await expect.poll(() => leftBy(handle.id)).toEqual([])
    })

    test.each(["hang", "stubborn"])("whose run is cancelled: %s", async (what) => {
      const { start, folder } = executing({ [what]: { sandbox } })
      const handle = start(what, "Go.")
      await expect.poll(() => leftBy(handle.id).length).toBeGreaterThan(0)
      if (what === "hang") await expect.poll(() => fs.existsSync(path.join(folder, "ran.txt"))).toBe(true)
      await handle.cancel("enough")
      const { outcome, output } = await handle.done
      expect(outcome).toEqual({ type: "cancelled", reason: "enough" })
      if (what === "hang") expect(output).toBe("so far")
      await expect.poll(() => leftBy(handle.id)).toEqual([])
    })

    test.each([
      ["went its own way", "fork", "forked"],
      ["holds on to its output", "hold", "held"],
    ])("that started another, which %s", async (_, what, output) => {
      const { start } = executing({ [what]: { sandbox } })
      const handle = start(what, "Go.")
      expect((await handle.done).output).toBe(output)
      expect(leftBy(handle.id)).toEqual([])
    })
  },
)

describe("much output", () => {
  test("is cut for the run, with its beginning and its end, and kept whole", async () => {
    const { start, store } = executing({ flood: { words: ["flood", "2"] } })
    const handle = start("flood", "Go.")
    const { outcome, output } = await handle.done
    expect(outcome).toEqual(completed)
    expect(output.length).toBeLessThan(51_000)
    expect(output).toMatch(/^begin 0123[\s\S]*bytes left out by the runtime[\s\S]*cdef end$/)
    const blobs: string[] = []
    for await (const event of store.read(handle.id))
      if (event.type === "tool-end") blobs.push((event as never as { result: { full: string } }).result.full)
    expect((await store.getBlob(handle.id, blobs[0]!))?.length).toBe("begin  end".length + 2 ** 21)
  })

  test("beyond all bounds ends it", async () => {
    const { run } = executing({ flood: { words: ["flood", "80"] } })
    expect((await run("flood")).outcome).toEqual({
      type: "failed",
      reason: naming("executor flood printed more", "was killed"),
    })
  })

  test("is no JSON that could be read", async () => {
    const { run } = executing({ flood: { words: ["flood", "5"], result: "json" } })
    expect((await run("flood")).outcome).toEqual({
      type: "failed",
      reason: naming("executor flood", "exit code 0", "too long"),
    })
  })
})

describe("what it is given", () => {
  test("of the environment: what is harmless, and what is named; and that reaches no log", async () => {
    const given = { SECRET_TOKEN: "ts-0123456789", OTHER_TOKEN: "o", PLAIN: "x" }
    Object.assign(process.env, given)
    onTestFinished(() => {
      for (const name of Object.keys(given)) delete process.env[name]
    })
    const { start, store } = executing({ environment: { environment: ["SECRET_TOKEN"] } })
    const handle = start("environment", "Go.")
    const seen = JSON.parse((await handle.done).output)
    expect(seen).toMatchObject({
      SECRET_TOKEN: "[redacted]",
      CADRE_RUN: `${handle.id}:c1`,
      TERM: "dumb",
      PATH: expect.any(String),
    })
    expect(seen).not.toHaveProperty("OTHER_TOKEN")
    expect(seen).not.toHaveProperty("PLAIN")
    const events: string[] = []
    for await (const event of store.read(handle.id)) events.push(JSON.stringify(event))
    expect(events.join()).not.toContain("ts-0123456789")
  })

  test("of the agent: what it has words for, one argument each", async () => {
    const { run } = executing(
      {
        arguments: {
          options: {
            model: ["--model", "{}"],
            tools: ["--tools={}"],
            uses: ["--only", "{}"],
            effort: ["-e{}"],
          },
        },
      },
      [
        by("arguments", {
          model: "haiku $(id)",
          effort: 3,
          tools: ["Read", "Bash(git *)"],
          disallowedTools: ["Write"],
        }),
      ],
    )
    expect(JSON.parse((await run("arguments")).output)).toEqual([
      ...["--model", "haiku $(id)", "-e3", "--tools=Read,Bash", "--only", "Bash(git *)"],
    ])
  })

  test("nothing that it would take for an option of another name", async () => {
    const { run } = executing({ arguments: { options: { model: ["--model", "{}"] } } }, [
      by("arguments", { model: "--yolo" }),
    ])
    expect((await run("arguments")).outcome).toEqual({
      type: "failed",
      reason: naming('"--yolo"', "as an option"),
    })
  })
})

describe.skipIf(sandboxMissing !== undefined)("the sandbox", () => {
  test("lets it write in the workspace and where it may, and nowhere else", async () => {
    const [elsewhere, home] = [temporaryFolder(), temporaryFolder()]
    const files = ["a.txt", ".git/config", path.join(elsewhere, "b.txt"), path.join(home, "c.txt")]
    const { run, folder } = executing({
      write: { words: ["write", ...files], sandbox: "required", writable: [elsewhere] },
    })
    fs.mkdirSync(path.join(folder, ".git"))
    expect((await run("write")).output).toBe(`a.txt EROFS ${path.join(elsewhere, "b.txt")} ENOENT `)
    expect(fs.existsSync(path.join(home, "c.txt"))).toBe(false)
  })

  test("is required of a program where it is required of commands", async () => {
    const elsewhere = temporaryFolder()
    const { run, folder } = executing({ write: { words: ["write", path.join(elsewhere, "b.txt")] } })
    expect((await run("write")).output).toBe(`${path.join(elsewhere, "b.txt")} `)
    const command = [
      process.execPath,
      path.join(folder, "stand-in.mjs"),
      "write",
      path.join(elsewhere, "c.txt"),
    ]
    const [tool] = createExecutorTools({
      executors: { write: { command, sandbox: "off" } },
      sandbox: "required",
    })
    const { call } = testRun([tool!], folder)
    const { text } = await call("Executor", { executor: "write", command, wants: "text", prompt: "Go." })
    expect(text).toBe("ENOENT ")
  })

  test("shows no home for the sake of a program that lies in it", async () => {
    const home = temporaryFolder()
    const program = path.join(home, "agent")
    fs.writeFileSync(program, "#!/bin/sh\necho ran\n", { mode: 0o755 })
    const [tool] = createExecutorTools({ executors: { agent: { command: [program] } }, home })
    const { call } = testRun([tool!], temporaryFolder())
    const input = { executor: "agent", command: [program], wants: "text", prompt: "Go." }
    expect(await call("Executor", input)).toEqual({
      text: naming(`Not run: ${program} is in ${home}, `, "sandbox hides"),
      isError: true,
    })
  })

  test("shows it its prompt", async () => {
    const { run } = executing({
      file: { words: ["file", "{prompt_file}"], prompt: "file", sandbox: "required" },
    })
    expect((await run("file")).output).toMatch(/^600 \S+\nBe brief\.\n\nGo\.$/)
  })
})
