import { randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"
import { connectHost, eras, type Host, type HostOptions, type PersonAnswer, untilGone } from "./host-kit.ts"

let world: CommandWorld
let hosts: Host[]
beforeEach(() => {
  world = new CommandWorld()
  hosts = []
  world.put("config/config.yaml", `model: "script:${world.scriptFile}"\n`)
})
afterEach(async () => {
  for (const host of hosts) await host.close()
  world.remove()
})

async function host(options?: HostOptions): Promise<Host> {
  const connected = await connectHost(world, options)
  hosts.push(connected)
  return connected
}

/** One agent that takes this long and then says this. */
function answering(text: string, delayMs = 0): void {
  world.agent("worker")
  world.script({ worker: [{ text, delayMs }] })
}

/** One agent whose only call needs approval. */
function asking(): void {
  world.agent("worker", ["tools: [Bash]"])
  world.script({
    worker: [{ calls: [{ tool: "Bash", input: { command: "touch made" } }] }, { text: "Done." }],
  })
}

describe.each(Object.entries(eras))("a client %s", (_, era) => {
  test("sees tools with schemas of both sides and with annotations", async () => {
    answering("Hello.")
    const { tools } = await (await host({ era })).client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      "list_agents",
      "run_agent",
      "start_agent",
      "wait",
      "status",
      "result",
      "cancel",
      "send",
      "approve",
    ])
    for (const { inputSchema, outputSchema, annotations, description } of tools)
      expect([
        inputSchema.type,
        outputSchema?.type,
        typeof annotations?.readOnlyHint,
        typeof description,
      ]).toEqual(["object", "object", "boolean", "string"])
  })

  test("lists agents, runs one and gets its report", async () => {
    answering("Seven files.")
    const { call } = await host({ era })
    const { value: list } = await call("list_agents")
    expect(list.agents).toContainEqual({ name: "worker", description: "Does worker." })
    const { value } = await call("run_agent", { agent: "worker", prompt: "Count the files." })
    expect(value).toMatchObject({ agent: "worker", state: "completed", report: "Seven files.", turns: 1 })
  })

  test("starts one as design 004 says, and waits for it", async () => {
    answering("Seven files.", 500)
    const { call } = await host({ era })
    const { value: started } = await call("start_agent", {
      agent: "worker",
      prompt: "Count the files.",
      mode: "headless",
    })
    expect(started.state).toBe("running")
    const { value } = await call("wait", { run: started.run })
    expect(value).toMatchObject({ run: started.run, state: "completed", report: "Seven files." })
  })

  test("reads a long report page by page, and no character is lost", async () => {
    const report = `${"😀".repeat(15_000)}x${"é".repeat(15_000)}`
    answering(report)
    const { call } = await host({ era })
    const { value: first } = await call("run_agent", { agent: "worker", prompt: "Go." })
    const pages = [first.report]
    for (let offset = first.next_offset; offset !== undefined; ) {
      const { value } = await call("result", { run: first.run, offset })
      pages.push(value.report)
      offset = value.next_offset
    }
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.join("")).toBe(report)
  })

  test("has a person approve a call, who sees the whole command", async () => {
    asking()
    const questions: string[] = []
    const { call } = await host({
      era,
      person: async (question) => {
        questions.push(question)
        await setTimeout(1_500)
        return { action: "accept", content: { allow: true } }
      },
    })
    const { value: resting } = await call("run_agent", { agent: "worker", prompt: "Go." })
    expect(resting).toMatchObject({ state: "resting", approvals: [{ call: "c1", tool: "Bash" }] })
    const { value } = await call("approve", { run: resting.run })
    expect(value).toMatchObject({ state: "completed", report: "Done." })
    expect(questions).toEqual([expect.stringContaining("touch made")])
  })
})

describe("a run of a host", () => {
  test("outlives the server, and a new one reads its result", async () => {
    answering("Made it.", 3_000)
    const first = await host()
    const { value } = await first.call("start_agent", { agent: "worker", prompt: "Go." })
    process.kill(first.pid, "SIGKILL")
    await untilGone(first.pid)
    const { call } = await host()
    expect((await call("wait", { run: value.run })).value).toMatchObject({ report: "Made it." })
    expect((await call("result", { run: value.run })).value).toMatchObject({ report: "Made it." })
  })

  test("goes on where its call is cancelled by the host", async () => {
    answering("Made it.", 2_000)
    const { call } = await host()
    const stop = new AbortController()
    const cancelled = call("run_agent", { agent: "worker", prompt: "Go." }, { signal: stop.signal })
    await setTimeout(1_000)
    stop.abort()
    await expect(cancelled).rejects.toThrow()
    const { value } = await call("status")
    expect(value.runs).toHaveLength(1)
    expect((await call("wait", { run: value.runs[0].run })).value).toMatchObject({ report: "Made it." })
  })

  test("is stopped by the tool", async () => {
    answering("Made it.", 60_000)
    const { call } = await host()
    const { value } = await call("start_agent", { agent: "worker", prompt: "Go." })
    expect((await call("cancel", { run: value.run, reason: "enough" })).value).toMatchObject({
      state: "cancelled",
      reason: "enough",
    })
  })

  test("tells what it does while a call waits", async () => {
    answering("Made it.", 3_000)
    const { call } = await host()
    const told: string[] = []
    await call(
      "run_agent",
      { agent: "worker", prompt: "Go." },
      { onprogress: ({ message = "" }) => told.push(message) },
    )
    expect(told).toContainEqual(expect.stringMatching(/worker asks its model/))
  })

  test("is not lost with the process that drives it: wait has another one go on", async () => {
    world.agent("worker", ["tools: [Read]"])
    world.put("work/a.txt", "a")
    const read = { calls: [{ tool: "Read", input: { path: "a.txt" } }] }
    world.script({ worker: [read, { text: "Made it.", delayMs: 4_000 }] })
    const { call } = await host()
    const { value } = await call("start_agent", { agent: "worker", prompt: "Go." })
    await setTimeout(1_000)
    const { stdout } = await world.cadre("log", value.run, "--json")
    expect(stdout).toContain("tool-end")
    for (const pid of await driversOf(world)) process.kill(pid, "SIGKILL")
    await expect.poll(async () => (await call("status", { run: value.run })).value.state).toBe("interrupted")
    expect((await call("wait", { run: value.run })).value).toMatchObject({ report: "Made it." })
  })
})

test("fifty runs at once from two hosts each bring back their own word", async () => {
  const words = Array.from({ length: 50 }, () => randomUUID())
  world.agent("echo")
  world.script({ echo: words.map((word) => ({ match: word, text: word, delayMs: 200 })) })
  const both = [await host(), await host({ era: eras["of 2026-07-28"] })]
  const reports = await Promise.all(
    words.map(async (word, index) => {
      const { call } = both[index % 2]!
      const { value } = await call("start_agent", { agent: "echo", prompt: `Say ${word}.` })
      let answer = value
      while (answer.state === "running") answer = (await call("wait", { run: value.run })).value
      return answer.report
    }),
  )
  expect(reports).toEqual(words)
})

describe("a call that needs approval", () => {
  const headless: readonly (readonly [string, PersonAnswer])[] = [
    ["cancels at once", { action: "cancel" }],
    ["declines at once", { action: "decline" }],
    ["accepts faster than a person reads", { action: "accept", content: { allow: true } }],
  ]
  test.each(headless)("rests where the host %s, and the answer says how to approve", async (_, answer) => {
    asking()
    const { call } = await host({ person: async () => answer })
    const { value } = await call("run_agent", { agent: "worker", prompt: "Go." })
    const { value: after } = await call("approve", { run: value.run })
    expect(after.state).toBe("resting")
    expect(after.next).toContain(`cadre approve ${value.run} c1 --resume`)
    expect((await world.cadre("approve", value.run, "--resume")).code).toBe(0)
    expect((await call("wait", { run: value.run })).value).toMatchObject({ report: "Done." })
  })

  test("rests where the host cannot ask", async () => {
    asking()
    const { call } = await host()
    const { value } = await call("run_agent", { agent: "worker", prompt: "Go." })
    const { value: after } = await call("approve", { run: value.run })
    expect(after).toMatchObject({ state: "resting", next: expect.stringContaining("cadre approve") })
  })

  test("is denied where a person says no", async () => {
    asking()
    const person = async (): Promise<PersonAnswer> => {
      await setTimeout(1_500)
      return { action: "decline" }
    }
    const { call } = await host({ person })
    const { value } = await call("run_agent", { agent: "worker", prompt: "Go." })
    expect((await call("approve", { run: value.run })).value.state).toBe("denied")
    expect(await world.results(value.run)).toEqual([expect.stringContaining("denied")])
    expect(existsSync(path.join(world.work, "made"))).toBe(false)
  })
})

describe("a host has the rights of the person who started the server, and no more", () => {
  test("it cannot see or steer runs that the person started elsewhere", async () => {
    answering("Secret.")
    const { result } = await world.json("run", "worker", "Go.")
    const { call } = await host()
    expect((await call("status")).value.runs).toEqual([])
    for (const tool of ["status", "result", "wait", "cancel", "approve"])
      expect(await call(tool, { run: result.id })).toMatchObject({ isError: true })
    expect(await call("send", { run: result.id, text: "Hi." })).toMatchObject({ isError: true })
  })

  test("it cannot steer runs of a server with other options", async () => {
    answering("Secret.")
    const first = await host({ words: ["--mode", "bypass"] })
    const { value } = await first.call("run_agent", { agent: "worker", prompt: "Go." })
    const second = await host()
    expect(await second.call("result", { run: value.run })).toMatchObject({ isError: true })
  })

  test("it cannot work in another folder, with an untrusted agent, or with a script as model", async () => {
    answering("Hello.")
    world.agent("stranger", [], "work/.cadre/agents")
    world.put("elsewhere/file", "")
    const { call } = await host()
    const prompt = "Go."
    const refused = await Promise.all([
      call("run_agent", { agent: "worker", prompt, workspace: "../elsewhere" }),
      call("run_agent", { agent: "stranger", prompt }),
      call("start_agent", { agent: "worker", prompt, model: `script:${world.scriptFile}` }),
      call("start_agent", { agent: "worker", prompt, mode: "bypass" }),
    ])
    expect(refused.map(({ isError }) => isError)).toEqual([true, true, true, true])
    expect((await call("status")).value.runs).toEqual([])
    const { value } = await call("list_agents")
    expect(value.agents.find(({ name }: { name: string }) => name === "stranger").problem).toContain("trust")
  })

  test("a key that is missing is named in the first answer, with where to put it", async () => {
    world.agent("worker", ["model: anthropic/claude-sonnet-4-5"])
    const { call } = await host()
    const { text, isError } = await call("run_agent", { agent: "worker", prompt: "Go." })
    expect([isError, text]).toEqual([true, expect.stringContaining("ANTHROPIC_API_KEY")])
    expect(text).toContain("env")
  })
})

/** The processes that drive runs of this world, by the state folder in their environment. */
async function driversOf({ base }: CommandWorld): Promise<readonly number[]> {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8")
        return words.includes("--driver") && readFileSync(`/proc/${pid}/environ`, "utf8").includes(base)
      } catch {
        // It ended in the meantime.
        return false
      }
    })
    .map(Number)
}
