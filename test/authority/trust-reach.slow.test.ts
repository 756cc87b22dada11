import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

const project = "work/.cadre/agents"
const delegate = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "Go." } }] })

/** A project whose lead hands work to whoever is there. */
function ledBy(tools = "[Read, Agent]"): void {
  world.agent("lead", [`tools: ${tools}`], project)
  world.agent("helper", ["tools: [Read]"], project)
  world.script({
    lead: [delegate("helper"), { text: "Led." }],
    helper: [{ text: "Helped." }],
    late: [{ text: "Late." }],
  })
}

/** What the lead's call came to. */
async function called(): Promise<string> {
  const { result } = await world.json("run", "lead", "Go.", ...world.model)
  const { stdout } = await world.cadre("log", result.id, "--json")
  const end = stdout
    .split("\n")
    .filter((line) => line.includes('"tool-end"') || line.includes('"model-end"'))
    .join("\n")
  return /Agent \((\w+)\) is denied.* the trust/.exec(end)?.[1] ?? "went through"
}

describe("whom a project's agent may hand work to is what was shown with it", () => {
  test("an agent that was there goes on being called", async () => {
    ledBy()
    await world.cadre("trust", "--yes")
    expect(await called()).toBe("went through")
    expect((await world.json("trust")).result).toMatchObject({ trusted: true })
  })

  test("an agent that joins later is not called until it was shown, be it the person's own", async () => {
    ledBy()
    await world.cadre("trust", "--yes")
    world.agent("late", ["tools: [Read, Bash]"])
    world.script({ lead: [delegate("late"), { text: "Led." }], late: [{ text: "Late." }] })
    expect(await called()).toBe("late")
    expect((await world.cadre("show", "lead")).stdout).toContain(
      "\nCan start after `cadre trust`: late (Bash, Read)\n",
    )
    const { result } = await world.json("trust")
    expect(result.files.find(({ agent }: { agent?: string }) => agent === "lead")).toMatchObject({
      state: "unchanged",
      joined: [{ name: "late", tools: ["Bash", "Read"] }],
    })
    expect(result.trusted).toBe(false)
    await world.cadre("trust", "--yes")
    expect(await called()).toBe("went through")
  })

  test("an agent that gains a tool is not called until that was shown; one that loses some is", async () => {
    ledBy()
    world.agent("late", ["tools: [Read, Grep]"])
    world.script({ lead: [delegate("late"), { text: "Led." }], late: [{ text: "Late." }] })
    await world.cadre("trust", "--yes")
    world.agent("late", ["tools: [Read]"])
    expect(await called()).toBe("went through")
    world.agent("late", ["tools: [Read, Bash]"])
    expect(await called()).toBe("late")
  })

  test.each<[string, readonly string[], readonly string[], string]>([
    ["plan mode", ["tools: [Bash, Read]", "permissionMode: plan"], ["tools: [Bash, Read]"], "late"],
    [
      "a rule that denies",
      ["tools: [Bash, Read]", "rules: [{ tool: Bash, decision: deny }]"],
      ["tools: [Bash, Read]"],
      "late",
    ],
    [
      "a rule that asks",
      ["tools: [Bash, Read]", "rules: [{ tool: Bash, decision: ask }]"],
      ["tools: [Bash, Read]"],
      "late",
    ],
    [
      "a denied use",
      ["tools: [Bash, Read]", "disallowedTools: ['Bash(touch:*)']"],
      ["tools: [Bash, Read]"],
      "late",
    ],
    ["a denial of one without a list", ["disallowedTools: [Read]"], [], "late"],
    ["its fork", ["tools: [Bash, Read]", "context: fork"], ["tools: [Bash, Read]"], "late"],
    ["what its model is", ["tools: [Read]"], ["tools: [Read]", "executor: prog"], "late"],
    [
      "nothing: it is denied more",
      ["tools: [Bash, Read]", "disallowedTools: ['Bash(touch:*)']"],
      ["tools: [Bash, Read]", "disallowedTools: [Bash]"],
      "went through",
    ],
  ])(
    "an agent that loses what narrowed it is not called until that was shown: %s",
    async (_, before, after, expected) => {
      world.agent("lead", ["tools: [Read, Agent(late)]"], project)
      world.agent("late", before)
      world.script({ lead: [delegate("late"), { text: "Led." }], late: [{ text: "Late." }] })
      await world.cadre("trust", "--yes")
      world.agent("late", after)
      const { result } = await world.json("trust")
      expect({ called: await called(), trusted: result.trusted }).toEqual({
        called: expected,
        trusted: expected !== "late",
      })
    },
  )

  test("nor by anybody below it", async () => {
    ledBy()
    world.agent("helper", ["tools: [Agent]"], project)
    await world.cadre("trust", "--yes")
    world.agent("late", ["tools: [Read]"])
    world.script({
      lead: [delegate("helper"), { text: "Led." }],
      helper: [delegate("late"), { text: "Helped." }],
      late: [{ text: "Late." }],
    })
    const { result } = await world.json("run", "lead", "Go.", ...world.model)
    const { stdout } = await world.cadre("log", result.id, "--json")
    expect(stdout).toMatch(/Agent \(late\) is denied.* the trust in agent/)
  })

  test("an agent without a list is shown with what each of its callers has", async () => {
    world.agent("lead", ["tools: [Read, Agent(helper)]"], project)
    world.agent("other", ["tools: [Bash, Agent(helper)]"], project)
    world.agent("helper", [], project)
    world.script({ lead: [delegate("helper"), { text: "Led." }], helper: [{ text: "Helped." }] })
    await world.cadre("trust", "--yes")
    expect((await world.json("trust")).result).toMatchObject({ trusted: true })
    expect(await called()).toBe("went through")
  })

  test("an agent in plan mode goes on calling those who were shown", async () => {
    ledBy()
    world.agent("lead", ["tools: [Read, Agent]", "permissionMode: plan"], project)
    await world.cadre("trust", "--yes")
    expect(await called()).toBe("went through")
  })

  test("who takes over the task of a root that failed was shown with it", async () => {
    world.agent("lead", ["tools: [Read]", "fallback: [surfer]"], project)
    world.agent("surfer", ["tools: [Read]"])
    world.script({
      lead: [{ error: { message: "out of order", retryable: false } }],
      surfer: [{ text: "Surfed." }],
    })
    await world.cadre("trust", "--yes")
    const before = await world.json("run", "lead", "Go.", ...world.model)
    world.agent("surfer", ["tools: [Read, Bash]"])
    const after = await world.json("run", "lead", "Go.", ...world.model)
    expect([before.result.output, after.result.output]).toEqual(["Surfed.", ""])
  })

  test("the person's own agents call whoever is there", async () => {
    world.agent("lead", ["tools: [Read, Agent]"])
    world.script({ lead: [delegate("late"), { text: "Led." }], late: [{ text: "Late." }] })
    world.agent("late", ["tools: [Read]"])
    expect(await called()).toBe("went through")
  })

  test("what narrows an agent is shown with it", async () => {
    world.agent("lead", ["tools: ['Agent(late)']"], project)
    world.agent("late", [
      "tools: [Bash, Read]",
      "disallowedTools: ['Bash(touch:*)']",
      "rules: [{ tool: Bash, decision: ask }]",
      "permissionMode: plan",
      "context: fork",
      "executor: prog",
    ])
    const { stdout } = await world.cadre("trust")
    expect(stdout).toContain(
      "late (Bash, Read, run by the executor prog; plan mode; no more than its caller; not Bash(touch:*); asks before Bash)",
    )
  })

  test("what was trusted when only lists were shown is shown once more", async () => {
    ledBy()
    await world.cadre("trust", "--yes")
    const folder = path.join(world.base, "state", "trust")
    const file = path.join(folder, readdirSync(folder)[0]!)
    const { reach, ...record } = JSON.parse(readFileSync(file, "utf8"))
    const lists = Object.entries<{ tools: string[] }>(reach.agents).map(([name, { tools }]) => [name, tools])
    const before = { agents: Object.fromEntries(lists), files: reach.files }
    writeFileSync(file, JSON.stringify({ ...record, reach: before }))
    expect([await called(), (await world.json("trust")).result.trusted]).toEqual(["helper", false])
    await world.cadre("trust", "--yes")
    expect(await called()).toBe("went through")
  })

  test("what was trusted before anybody was shown the reach runs, and calls nobody", async () => {
    ledBy()
    await world.cadre("trust", "--yes")
    const folder = path.join(world.base, "state", "trust")
    const [file] = readdirSync(folder)
    const { reach: _, ...record } = JSON.parse(readFileSync(path.join(folder, file!), "utf8"))
    writeFileSync(path.join(folder, file!), JSON.stringify(record))
    expect(await called()).toBe("helper")
  })
})

test("the warning about the web and files is about all whom an agent reaches", async () => {
  world.agent("lead", ["tools: ['Agent(surfer, looker)']"], project)
  world.agent("surfer", ["tools: [WebFetch]"], project)
  world.agent("looker", ["tools: [Read]"], project)
  const { result } = await world.json("trust")
  const gains = Object.fromEntries(
    result.files.map(({ agent, gains }: { agent: string; gains: string[] }) => [
      agent,
      gains.length > 1 && gains,
    ]),
  )
  expect(gains).toEqual({
    lead: [
      "tools: Agent(surfer, looker)",
      naming("may call, directly", "looker (Read), surfer (WebFetch)"),
      naming("can read web pages", "through its subagents", "leak your files"),
    ],
    surfer: false,
    looker: false,
  })
})
