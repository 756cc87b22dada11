/** What Codex's subagents (001) must do here: the rows of its acceptance list, in its order. */
import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  createRuntime,
  defineAgent,
  defineTool,
  type ModelRequest,
  memoryStore,
  type Route,
  type RunEvent,
  route,
  SubagentRegistry,
  scriptedModel,
} from "../../src/index.ts"
import { put, temporaryFolder } from "../file-kit.ts"
import { CommandWorld } from "../run-command-kit.ts"
import { markdown, readFolder } from "./kit.ts"

describe("001 row 1: validation, BOM and CRLF, trimmed body, ignored keys", () => {
  const invalidName = (name: string) =>
    `invalid agent name \`${name}\`: name must start with a lowercase letter, include only lowercase letters, digits, hyphen, or underscore, and be 3-64 characters long`
  test.each([
    ["no front matter", "Just text.", "no YAML frontmatter block found"],
    ["front matter without an end", "---\nname: abc\n", "no YAML frontmatter block found"],
    ["YAML that is none", markdown("name: [abc"), "failed to parse YAML frontmatter: "],
    ["a list for a map", markdown("- name"), "failed to parse YAML frontmatter: "],
    ["no name", markdown("description: x"), "missing required field: name"],
    ["a short name", markdown("name: ab"), invalidName("ab")],
    ["a long name", markdown(`name: ${"a".repeat(65)}`), invalidName("a".repeat(65))],
    ["upper case", markdown("name: Abc"), invalidName("Abc")],
    ["a digit first", markdown("name: 1abc"), invalidName("1abc")],
    ["no body", "---\nname: abc\n---", "missing required field: instructions"],
    ["a blank body", markdown("name: abc", " \n "), "missing required field: instructions"],
    [
      "a blank provider",
      markdown("name: abc\nmodel_config: {provider: ' '}"),
      "model_config.provider must be a non-empty string when set",
    ],
    [
      "a blank endpoint",
      markdown("name: abc\nmodel_config: {endpoint: ''}"),
      "model_config.endpoint must be a non-empty string when set",
    ],
    [
      "a blank parameter",
      markdown("name: abc\nmodel_config: {parameters: {' ': 1}}"),
      "model_config.parameters keys must be non-empty strings",
    ],
    [
      "two models",
      markdown("name: abc\nmodel: a\nmodel_config: {model: b}"),
      "model `a` conflicts with model_config.model `b`",
    ],
    ["a blank tool", markdown("name: abc\ntools: [Read, ' ']"), "tools must be non-empty strings"],
    ["a tool twice", markdown("name: abc\ntools: [Read, ' Read']"), "duplicate tool entry `Read`"],
    ["a blank keyword", markdown("name: abc\nkeywords: ['']"), "keywords must be non-empty strings"],
    ["a keyword twice", markdown("name: abc\nkeywords: [b, b]"), "duplicate keyword entry `b`"],
  ])("%s", (_, text, message) => {
    const { registry, errors } = readFolder("codex-md", { "any.md": text })
    expect(errors["any.md"]?.slice(0, message.length)).toBe(message)
    expect(registry.names()).toEqual([])
  })

  test.each([
    ["a BOM", `\uFEFF${markdown("name: abc")}`],
    ["CRLF", markdown("name: abc").replaceAll("\n", "\r\n")],
    ["blank lines around the body", markdown("name: abc", "\n\nDo the work.\n\n")],
    ["an unknown key", markdown("name: abc\nmood: calm")],
    ["another file's name, and the other ending", markdown("name: abc")],
  ])("%s is taken", (_, text) => {
    const { registry, errors } = readFolder("codex-md", { "else.markdown": text })
    expect([errors, registry.get("abc").instructions]).toEqual([{}, "Do the work."])
  })

  // Architecture, "lists": a comma string and a YAML list are the same thing; Codex fails to parse the former.
  test("tools with commas are a list, as in every format", () => {
    const { registry } = readFolder("codex-md", { "a.md": markdown("name: abc\ntools: Read, Grep") })
    expect(registry.get("abc").tools).toEqual({ mode: "list", allow: ["Read", "Grep"], deny: [] })
  })
})

describe("001 row 2: project over user, broken files, reload", () => {
  const discovered = (files: Readonly<Record<string, string>>) => {
    const base = temporaryFolder({ "repo/.git/HEAD": "", ...files })
    const registry = new SubagentRegistry()
    registry.autoDiscover({ cwd: `${base}/repo`, home: `${base}/home`, userFolder: `${base}/home/.config` })
    return { base, registry }
  }
  const project = "repo/.codex/agents/abc.md"
  const user = "home/.codex/agents/abc.md"

  test("the project's agent of a name takes the place of the user's", () => {
    const { registry } = discovered({
      [project]: markdown("name: abc", "Project."),
      [user]: markdown("name: abc", "User."),
    })
    expect(registry.all().map(({ name, instructions }) => [name, instructions])).toEqual([
      ["abc", "Project."],
    ])
  })

  test("a broken project file is listed, and leaves the user's agent and every other one active", () => {
    const { base, registry } = discovered({
      [project]: markdown("name: abc\nmodel: a\nmodel_config: {model: b}", "Project."),
      "repo/.codex/agents/other.md": markdown("name: other"),
      [user]: markdown("name: abc", "User."),
    })
    expect({
      agents: registry.all().map(({ name, instructions }) => [name, instructions]),
      errors: Object.keys(registry.errors()),
    }).toEqual({
      agents: [
        ["abc", "User."],
        ["other", "Do the work."],
      ],
      errors: [`${base}/${project}`],
    })
  })

  // Codex gives up the whole reload here; the architecture: "one bad file never hides another".
  test("a file that is no UTF-8 is listed like any other that is wrong", () => {
    const base = temporaryFolder({
      "a.md": Buffer.from("---\nname: abc\n---\n\xff\xfe", "latin1"),
      "b.md": markdown("name: other"),
    })
    const registry = new SubagentRegistry()
    registry.loadFromDirectory(base, { format: "codex-md" })
    expect([registry.names(), Object.keys(registry.errors())]).toEqual([["other"], [`${base}/a.md`]])
  })

  test("a reload leaves what is unchanged as it is, and sees edits of any size, additions and deletions", () => {
    const gone = "home/.codex/agents/gone.md"
    const { base, registry } = discovered({
      [user]: markdown("name: abc", "One."),
      [gone]: markdown("name: gone"),
    })
    const before = registry.get("abc")
    const nothing = registry.reload()
    const isSame = registry.get("abc") === before
    put(base, { [user]: markdown("name: abc", "Two."), "repo/.codex/agents/new.md": markdown("name: new") })
    fs.rmSync(path.join(base, gone))
    const changes = registry.reload()
    expect({
      nothing,
      isSame,
      changes,
      agents: registry.all().map(({ name, instructions }) => [name, instructions]),
    }).toEqual({
      nothing: { added: [], changed: [], removed: [] },
      isSame: true,
      changes: {
        added: [`${base}/repo/.codex/agents/new.md`],
        changed: [`${base}/${user}`],
        removed: [`${base}/${gone}`],
      },
      agents: [
        ["abc", "Two."],
        ["new", "Do the work."],
      ],
    })
  })
})

describe("001 row 3: model and model_config", () => {
  test.each([
    ["nothing", "", undefined],
    ["a model", "model: a", "a"],
    ["a blank model", "model: ' '", undefined],
    ["only in model_config", "model_config: {model: a}", "a"],
    ["the same in both", "model: a\nmodel_config: {model: a}", "a"],
    ["a provider", "model_config: {provider: p}", { provider: "p" }],
    ["a model and a provider", "model: a\nmodel_config: {provider: p}", { provider: "p", model: "a" }],
    [
      "all of it",
      "model_config: {provider: p, model: a, endpoint: 'http://x', parameters: {' t ': 1}}",
      { provider: "p", model: "a", endpoint: "http://x", parameters: { t: 1 } },
    ],
  ])("%s", (_, yaml, model) => {
    const { registry } = readFolder("codex-md", { "a.md": markdown(`name: abc\n${yaml}`) })
    expect(registry.get("abc").model).toEqual(model)
  })

  test("what a child overrides is the child's alone", async () => {
    const { registry } = readFolder("codex-md", {
      "lead.md": markdown("name: lead\ntools: [Agent]"),
      "worker.md": markdown(
        "name: worker\nmodel_config: {model: small, parameters: {temperature: 0}}\ntools: []",
      ),
    })
    const asked: [string, string, unknown][] = []
    const named = (id: string, script: Parameters<typeof scriptedModel>[0]) => ({
      ...scriptedModel(script, id),
      stream(request: ModelRequest, onDelta: never) {
        asked.push([request.agent, id, request.parameters])
        return scriptedModel(script, id).stream(request, onDelta)
      },
    })
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      models: {
        big: named("big", {
          lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "x" } }] }, { text: "done" }],
        }),
        small: named("small", { worker: [{ text: "worked" }] }),
      },
    })
    await runtime.run("lead", "go").done
    expect(asked).toEqual([
      ["lead", "big", undefined],
      ["worker", "small", { temperature: 0 }],
      ["lead", "big", undefined],
    ])
  })

  // Architecture, "model that cannot be resolved": provider, model and endpoint stay the parent's together; Codex takes half.
  test("an unknown provider keeps the parent's model whole, with a warning", async () => {
    const { registry } = readFolder("codex-md", {
      "a.md": markdown("name: abc\nmodel_config: {provider: nowhere, model: m}\ntools: []"),
    })
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      models: { parent: scriptedModel({ abc: [{ text: "done" }] }, "parent") },
    })
    const { proof } = await runtime.run("abc", "go").done
    expect([proof.model.resolved, proof.warnings]).toEqual(["parent", [expect.stringContaining("nowhere")]])
  })
})

describe("001 row 4: a tool that the list does not have", () => {
  test("is not executed, nobody is asked, the words are Codex's own, and the run goes on", async () => {
    let ran = 0
    const { registry } = readFolder("codex-md", { "a.md": markdown("name: abc\ntools: [Read]") })
    const named = (name: string) =>
      defineTool({
        name,
        description: name,
        effect: "opaque",
        input: { type: "object" },
        execute: () => `${++ran}`,
      })
    const store = memoryStore()
    const runtime = createRuntime({
      agents: registry,
      store,
      tools: [named("Read"), named("Bash")],
      rules: [{ tool: "Bash", decision: "ask" }],
      models: {
        m: scriptedModel({ abc: [{ calls: [{ tool: "Bash" }, { tool: "Read" }] }, { text: "went on" }] }),
      },
    })
    const { run, status, output, approvals, proof } = await runtime.run("abc", "go").done
    const reason = "Tool `Bash` is not allowed for subagent `abc`; denying request."
    const ends = (await eventsOf(runtime, run)).flatMap((event) =>
      event.type === "tool-end" ? [event.result] : [],
    )
    expect({ ran, status, output, approvals, denied: proof.denied, ends }).toEqual({
      ran: 1,
      status: "ended",
      output: "went on",
      approvals: [],
      denied: [{ call: "c1", tool: "Bash", reason }],
      ends: [
        { status: "denied", text: reason },
        { status: "ok", text: "1" },
      ],
    })
  })

  // Architecture, "tools: []": grants nothing in every dialect, with a warning; Codex takes it for everything.
  test("an empty list grants nothing, and warns", () => {
    const { registry } = readFolder("codex-md", { "a.md": markdown("name: abc\ntools: []") })
    expect([
      registry.get("abc").tools,
      registry.diagnostics().map(({ code, severity }) => [code, severity]),
    ]).toEqual([{ mode: "list", allow: [], deny: [] }, [["tools-none", "warning"]]])
  })
})

describe("001 row 5: the router", () => {
  const agents = [
    { name: "tester", keywords: ["tests", "checks"] },
    { name: "spec-parser", keywords: ["spec", "tests"] },
  ]
  const nobody = (reason: string): object => ({ type: "nobody", reason })
  const chosen = (agent: string, reason: string): object => ({ type: "agent", agent, reason })
  test.each<[string, readonly (typeof agents)[number][], Parameters<typeof route>[1], "on" | "off", object]>([
    ["no candidates", [], { agent: "tester" }, "on", nobody("No registered subagents.")],
    ["a blank name", agents, { agent: " " }, "off", nobody("Provide an agent name after `/use`.")],
    [
      "by parameter",
      agents,
      { agent: "Spec Parser" },
      "off",
      chosen("spec-parser", "selected explicitly ('Spec Parser')"),
    ],
    [
      "by a keyword as name",
      agents,
      { agent: "checks" },
      "off",
      chosen("tester", "selected explicitly ('checks')"),
    ],
    ["/use", agents, { text: '  /use "tester" go' }, "off", chosen("tester", "requested via `/use tester`")],
    ["/use without a name", agents, { text: "/use" }, "on", nobody("Provide an agent name after `/use`.")],
    ["/use with an unknown one", agents, { text: "/use who" }, "on", nobody("Unknown subagent 'who'.")],
    ["off by default", agents, { text: "tester, run the tests" }, "off", nobody("Auto-routing disabled.")],
    ["by name", agents, { text: "the tester" }, "on", chosen("tester", "matched agent name 'tester'")],
    [
      "by all words of a name",
      agents,
      { text: "spec: a parser" },
      "on",
      chosen("spec-parser", "matched agent name 'spec-parser', keyword 'spec'"),
    ],
    [
      "by keywords",
      agents,
      { text: "tests and checks" },
      "on",
      chosen("tester", "matched keyword 'tests', keyword 'checks'"),
    ],
    ["a tie", agents, { text: "tests" }, "on", nobody("Multiple agents matched: spec-parser, tester")],
    ["nothing", agents, { text: "paint" }, "on", nobody("No confident keyword match.")],
    [
      "explicit beats words",
      agents,
      { agent: "tester", text: "spec parser" },
      "on",
      chosen("tester", "selected explicitly ('tester')"),
    ],
    // Codex takes `/useful` for `/use ful`, and `lint` for a part of `splint`: seed-systems 2.6 calls them traps.
    [
      "/useful is a word",
      agents,
      { text: "/useful tester" },
      "on",
      chosen("tester", "matched agent name 'tester'"),
    ],
    ["a part of a word is none", agents, { text: "contests" }, "on", nobody("No confident keyword match.")],
  ])("%s", (_, candidates, request, autoRoute, expected) => {
    const { type, reason, ...rest }: Route = route(candidates, request, { autoRoute })
    expect({ type, reason, ...("agent" in rest && { agent: rest.agent }) }).toEqual(expected)
  })

  test("a runtime routes by words only where its configuration says so", () => {
    const parts = {
      agents: [defineAgent({ name: "tester", instructions: "x", keywords: ["tests"] })],
      store: memoryStore(),
    }
    expect([
      createRuntime(parts).route("run the tests").reason,
      createRuntime({ ...parts, autoRoute: true }).route("run the tests").reason,
    ]).toEqual(["Auto-routing disabled.", "matched keyword 'tests'"])
  })
})

describe("001 row 6: lifecycle, surfaces, switches", () => {
  test("a child's start, words and end come in order, named, and its duration can be read off", async () => {
    const runtime = createRuntime({
      agents: ["lead", "worker"].map((name) => defineAgent({ name, instructions: "x" })),
      store: memoryStore(),
      models: {
        m: scriptedModel({
          lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "x" } }] }, { text: "done" }],
          worker: [{ text: "worked", delayMs: 60 }],
        }),
      },
    })
    const handle = runtime.run("lead", "go")
    const seen: unknown[] = []
    let [started, ended] = [0, 0]
    for await (const event of handle) {
      if (event.type === "child-start") seen.push(["started", event.agent, event.child.slice(26), event.call])
      if (event.type === "text-delta" && event.run !== handle.id) seen.push(["said", event.text])
      if (event.type === "child-end") seen.push(["ended", event.child.slice(26), event.outcome.type])
      if (event.type === "run-start" && event.run !== handle.id) started = event.at
      if (event.type === "run-end" && event.run !== handle.id) ended = event.at
    }
    expect(seen).toEqual([
      ["started", "worker", ".1", "c1"],
      ["said", "worked"],
      ["ended", ".1", "completed"],
    ])
    expect(ended - started).toBeGreaterThanOrEqual(60)
  })

  test('a child cannot spawn, unless its list names the tool for it (architecture, "depth")', async () => {
    const { registry } = readFolder("codex-md", {
      "lead.md": markdown("name: lead"),
      "plain.md": markdown("name: plain"),
      "named.md": markdown("name: named\ntools: [Agent]"),
    })
    const offered: Record<string, readonly string[]> = {}
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      models: {
        m: scriptedModel({
          lead: [
            {
              calls: ["plain", "named"].map((agent) => ({ tool: "Agent", input: { agent, prompt: "x" } })),
            },
            { text: "done" },
          ],
          plain: [{ calls: [{ tool: "Agent", input: { agent: "named", prompt: "x" } }] }, { text: "alone" }],
          named: [{ text: "done" }],
        }),
      },
      layers: {
        model: [
          (request, next) => {
            offered[request.agent] = request.tools.map(({ name }) => name).filter((name) => name === "Agent")
            return next(request)
          },
        ],
      },
    })
    const { run } = await runtime.run("lead", "go").done
    const runs: string[] = []
    for await (const head of runtime.list({ root: run })) runs.push(head.agent)
    expect({ offered, runs }).toEqual({
      offered: { lead: ["Agent"], plain: [], named: ["Agent"] },
      runs: ["lead", "plain", "named"],
    })
  })

  describe("on the command line", () => {
    let world: CommandWorld
    beforeEach(() => {
      world = new CommandWorld()
    })
    afterEach(() => world.remove())
    const agent = (name: string, yaml = "") =>
      world.put(`home/.codex/agents/${name}.md`, markdown(`name: ${name}\ndescription: Does ${name}.${yaml}`))
    test("list shows what there is with its state, and check the parse errors, also where agents are disabled", async () => {
      agent("abc", "\nmodel: m\ntools: [Read]\nkeywords: [word]")
      agent("bad", "\ntools: ['']")
      world.environment.CADRE_SUBAGENTS_ENABLED = "off"
      const { code, stdout } = await world.cadre("list", "--json")
      const { agents } = JSON.parse(stdout) as { agents: readonly { scope: string }[] }
      const file = (name: string) => path.join(world.base, `home/.codex/agents/${name}.md`)
      const common = { format: "codex-md", scope: "user" }
      expect({ code, agents: agents.filter(({ scope }) => scope === "user") }).toEqual({
        code: 0,
        agents: [
          {
            ...common,
            name: "abc",
            description: "Does abc.",
            file: file("abc"),
            model: "m",
            tools: ["Read"],
            state: "active",
          },
          {
            ...common,
            name: "bad",
            description: "Does bad.",
            file: file("bad"),
            model: null,
            tools: [],
            state: "broken",
          },
        ],
      })
      expect(await world.cadre("check")).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("tools must be non-empty strings"),
      })
    })

    test.each([
      ["1", "false", 0],
      ["YES ", "false", 0],
      ["off", "true", 1],
      ["0", "true", 1],
      ["maybe", "false", 1],
      [undefined, "true", 0],
      [undefined, "false", 1],
    ])(
      "CADRE_SUBAGENTS_ENABLED=%s beats enabled: %s in the configuration (exit %i)",
      async (variable, enabled, code) => {
        agent("abc")
        world.script({ abc: [{ text: "Done." }] })
        world.put("config/config.yaml", `subagents: {enabled: ${enabled}}\n`)
        if (variable !== undefined) world.environment.CADRE_SUBAGENTS_ENABLED = variable
        const ended = await world.cadre("run", "abc", "Go.", ...world.model)
        expect([
          ended.code,
          /Subagents feature is disabled in this configuration/.test(ended.stderr),
        ]).toEqual([code, code !== 0])
      },
    )

    test.each([
      ["without words", ["run", "abc"]],
      ["with /use", ["run", "/use abc"]],
    ])("a run without a task, %s, has Codex's own, and says so", async (_, words) => {
      agent("abc")
      const task = "Please execute your standard workflow."
      world.script({ abc: [{ match: task, text: "Done." }] })
      expect(await world.cadre(...words, ...world.model)).toEqual({
        code: 0,
        stdout: "Done.\n",
        stderr: expect.stringContaining(
          `abc: no task was given, so it is told "${task}", as Codex markdown has it`,
        ),
      })
    })

    test("a file without a task, and a run of another format, are refused", async () => {
      agent("abc")
      world.agent("ours")
      world.put("work/empty.md", " \n")
      world.script({ abc: [{ text: "Done." }], ours: [{ text: "Done." }] })
      for (const words of [["abc", "--file", "empty.md"], ["ours"]])
        expect(await world.cadre("run", ...words, ...world.model)).toMatchObject({
          code: 2,
          stdout: "",
          stderr: expect.stringMatching(/There is no task/),
        })
    })

    test("run prints the answer, and an outcome that is an error exits with another code; runs tells the status", async () => {
      agent("abc")
      world.script({ abc: [{ text: "Done." }] })
      const good = await world.cadre("run", "abc", "Go.", ...world.model)
      world.script({ abc: [{ error: { message: "broke" } }] })
      const bad = await world.cadre("run", "abc", "Go.", ...world.model)
      const { stdout } = await world.cadre("runs", "--json")
      const runs: readonly { agent: string; outcome: string }[] =
        JSON.parse(stdout).runs ?? JSON.parse(stdout)
      expect({
        good: [good.code, good.stdout],
        bad: bad.code,
        runs: runs.map(({ agent, outcome }) => `${agent} ${outcome}`).sort(),
      }).toEqual({ good: [0, "Done.\n"], bad: 1, runs: ["abc completed", "abc failed"] })
    })
  })
})

async function eventsOf(
  runtime: ReturnType<typeof createRuntime>,
  run: string,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  const stop = new AbortController()
  for await (const event of runtime.follow(run, stop.signal)) {
    events.push(event)
    if (event.run === run && event.type === "run-end") break
  }
  return events
}
